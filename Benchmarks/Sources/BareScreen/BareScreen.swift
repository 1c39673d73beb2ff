import CScreen
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A minimal program that requests a URL and draws with ncurses: a session, a timer, one frame. It is the baseline for
/// the time to the first frame of `bellerophon run`.
@main
struct BareScreen {
    static func main() {
        let session = URLSession(configuration: .ephemeral)
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now() + 60)
        timer.setEventHandler { exit(0) }
        timer.resume()
        cscreen_draw("BARE SCREEN")
        withExtendedLifetime(session) { RunLoop.main.run() }
    }
}
