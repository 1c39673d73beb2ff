#if Server
import BellerophonStore
import Hummingbird
import Logging

/// What a route handler gets besides the request.
struct ServerContext: RequestContext {
    struct Source: RequestContextSource {
        let logger: Logger
        let origin: RequestOrigin
    }

    var coreContext: CoreRequestContextStorage
    let origin: RequestOrigin

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        origin = source.origin
    }
}
#endif
