import Bellerophon
import TerminalUI
import Testing
@testable import Dashboard
@Suite struct Look { @Test func look() {
  var s = DashboardSession.afterAPause(); print(s.screen)
  s.press(.character("s")); print(s.screen)
  s.press(.escape, .character("?")); print(s.screen)
  s = .failingWhilePaused(); print(s.screen); s.press(.enter); print(s.screen)
  s = .afterAPause(); s.resize(40,12); print(s.screen)
  s.resize(200,60); print(s.screen)
  s.resize(60,16); print(s.screen)
  s.resize(1,1); print(s.screen); s.resize(30,3); print(s.screen)
} }
