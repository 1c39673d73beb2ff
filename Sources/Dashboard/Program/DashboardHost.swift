import Barricade
import ProgramKit
import ScenarioKit
import TerminalUI

/// The surroundings of a dashboard's model, which perform what it requests: the running program, or a test's world.
protocol DashboardHost {
    var model: DashboardModel { get set }

    /// Called after every message, when its effects were performed.
    mutating func modelDidChange()
    /// Performs an effect that has no result for the model. ``DashboardEffect/open(_:)`` comes after the model has opened the
    /// service.
    mutating func carryOut(_ effect: DashboardEffect)
    /// Performs a command of a person or a script.
    /// - Returns: the simulated server's state afterwards; nil without one.
    mutating func run(_ command: BarricadeCommand) throws(BarricadeError) -> ScenarioList?
    /// The command that a shortcut means now; nil if it means none.
    func command(for shortcut: BarricadeShortcut) -> BarricadeCommand?
    /// Sends text to the terminal for its clipboard.
    /// - Returns: whether the terminal may take it.
    mutating func copy(_ text: String) -> Bool
    /// Saves the open service's journal to a new file.
    /// - Returns: what to tell the person.
    mutating func exportJournal() throws -> String
    /// Saves what the simulated server has replied to a new scenario file.
    /// - Returns: the file's name; nil if nothing was checked yet.
    mutating func exportScenario() throws -> String?
    /// - Returns: the problem if the bookmarks can't be saved.
    mutating func save(bookmarks: [String]) -> String?
}

extension DashboardHost {
    /// Passes a message to the model, and performs what follows from it.
    mutating func deliver(_ message: DashboardMessage) {
        for effect in model.handle(message) { perform(effect) }
        modelDidChange()
    }

    /// Performs a barricade command of a person or a script, and passes the result to the model.
    /// - Returns: why it was refused; nil on success.
    @discardableResult
    mutating func perform(_ command: BarricadeCommand) -> BarricadeError? {
        do {
            if let list = try run(command) { deliver(.performed(command, list)) }
            return nil
        } catch {
            deliver(.problem("\(error)"))
            return error
        }
    }

    private mutating func perform(_ effect: DashboardEffect) {
        switch effect {
        case .open(let index):
            model.show(serviceAt: index)
            carryOut(effect)
        case .checkNow, .checkAfresh, .checkAll, .sync, .theme, .preview, .settings, .redraw, .quit: carryOut(effect)
        case .barricade(let command): perform(command)
        case .shortcut(let shortcut):
            guard let command = command(for: shortcut) else { return deliver(.problem(shortcut.refusal)) }
            perform(command)
        case .copy(let text): deliver(.copied(wasSent: copy(text)))
        case .exportJournal: save("the journal was") { .notice(try $0.exportJournal()) }
        case .exportScenario:
            save("the scenario was") { host in
                try host.exportScenario().map { .notice("scenario saved: \($0); play it with --scenarios") }
                    ?? .problem("nothing was checked yet")
            }
        case .saveBookmarks(let names):
            if let problem = save(bookmarks: names) { deliver(.problem("the bookmarks were not saved: \(problem)")) }
        }
    }

    private mutating func save(_ what: String, _ save: (inout Self) throws -> DashboardMessage?) {
        do {
            if let message = try save(&self) { deliver(message) }
        } catch {
            deliver(.problem("\(what) not saved: \(error)"))
        }
    }
}
