import BellerophonCurses
import ProgramKit

extension CursesTerminal {
    func perform(_ action: TransitionAlerts.Action) {
        switch action {
        case .bell: ringBell()
        case .title(let text): setTitle(text)
        case .notification(let title, let text): notify(title: title, text: text)
        }
    }
}
