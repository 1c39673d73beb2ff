import ArgumentParser
import Bellerophon
import ProgramKit

/// The flags that say how and when the status is asked for.
struct PollingOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Seconds between checks while nothing is wrong.", discussion: "Default: the status's own retryInterval.",
            valueName: "seconds"))
    var interval: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How statuses come: auto, poll or stream.",
            discussion: "Default: auto, which asks, and listens where the server pushes changes.", valueName: "choice"),
        completion: .list(Transport.allCases.map(\.rawValue)))
    var transport: String?

    @Option(
        name: .customLong("events-url"),
        help: ArgumentHelp(
            "The stream of status changes.", discussion: "Default: the address in the server's replies.", valueName: "url"))
    var eventsURL: String?

    @Flag(name: .long, help: "Neither read nor keep the last known status.")
    var forget = false

    func apply(to configuration: inout ProgramKit.Configuration) throws {
        if let interval { try configuration.apply(flag: "status.interval", text: interval) }
        if let transport { try configuration.apply(flag: "status.transport", text: transport) }
        if let eventsURL { try configuration.apply(flag: "status.eventsURL", text: eventsURL) }
    }
}
