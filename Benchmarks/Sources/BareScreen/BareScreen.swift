import CScreen
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The least that a program can be which asks a server and draws with ncurses: a session, a timer, one frame. What
/// `bellerophon run` takes to its first frame is compared with it.
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
