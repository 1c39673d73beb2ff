import NIOCore
import NIOHTTP1

/// What the handler of a connection must do after an event.
enum ConnectionAction: Equatable {
    case nothing
    /// Reply to the request, or pass it to its endpoint.
    case begin(HTTPRequestHead)
    /// Pass a piece of the request's body to the endpoint.
    case passBody(ByteBuffer)
    /// Tell the endpoint that the body is complete.
    case completeBody
    /// End the body with an error for the endpoint. The rest of the body is dropped.
    case failBody(HTTPError)
    /// Write an error as the last reply.
    case refuse(HTTPError)
    /// Take the parts of requests that were held back, and resume reading.
    case consumeHeldParts
    /// Send what the client of the stream has missed.
    case sendMissedEvents
    /// Send a heartbeat on the stream if one is due.
    case sendHeartbeat
    /// Write the last message of the stream, which spreads reconnects over this time. It is the last reply.
    case endStream(within: Duration)
    /// Release what the request or the stream holds, and close once everything is written.
    case closeOnceWritten(CloseMode)
    /// Release what the request or the stream holds, and close now.
    case close
}
