package import Bellerophon
package import TerminalUI

/// A window of an overlay that performs what keys lead to. The rules are the same for every window; each says how its terminal
/// does a thing.
@MainActor
package protocol OverlayExecutor: AnyObject {
    /// What the person has opened on the overlay, and what a key does there.
    var interaction: OverlayInteraction { get set }
    /// Tells when a view has come up and when keys come.
    var time: any ManagerClock { get }
    /// Handles the commands that the window cannot handle by itself.
    var responder: (any OverlayResponder)? { get }
    /// What covers the program; nil for nothing.
    var display: (view: any OverlayView, content: OverlayContent)? { get }

    /// Draws the overlay again.
    /// - Parameter everyCell: whether every cell is sent, whatever the terminal seems to show.
    func draw(everyCell: Bool)
    /// Sends a text to the clipboard. False if the terminal is not known to have one.
    func sendToClipboard(_ text: String) -> Bool
    /// Opens an address. The result is the name of the browser; nil if there is none.
    func browse(_ address: String) -> String?
    /// Runs the app's update command in the terminal.
    func runUpdate(_ command: UpdateCommand)
    /// Shows the view on the terminal again, which was left to the update command.
    func takeBackTerminal()
    /// Starts the program again, because another version is installed.
    /// - Parameter version: the version; nil if it is not known.
    func restart(version: String?)
    /// Stops the program until its shell continues it.
    func suspend()
    /// Leaves the program.
    func quit()
}

extension OverlayExecutor {
    /// Changes what the person has opened, and performs what follows from it.
    package func interact(_ change: (inout OverlayInteraction) -> [OverlayEffect]) {
        // The change may run code of a view, which may cause a paint, which reads the state.
        var next = interaction
        let effects = change(&next)
        interaction = next
        for effect in effects { perform(effect) }
    }

    /// A view comes up, or comes back after the terminal was away: it begins with its status page, and keys do not count yet.
    package func beginInteraction() {
        if display != nil { interact { $0.begin(at: time.now) } }
    }

    /// Handles a key that was pressed on the view.
    /// - Parameter size: the size of the view.
    package func press(_ key: Key, in size: Size) {
        let cover = display
        interact { $0.handle(key, content: cover?.content, view: cover?.view, size: size, at: time.now) }
    }

    /// Says in the footer for a few seconds why the program can't be started again.
    package func sayCannotRestart(_ reason: LocalizedText) {
        let phrases = display?.content.phrases ?? .english
        let notice = phrases.answers.cannotRestart.with(["reason": reason.text(phrases)])
        interact { $0.notify(notice, at: time.now) }
    }

    /// The update command has ended, or was not run.
    package func updateEnded() {
        // What is typed for the end of the command is not meant for the view, and the first paint names no key.
        beginInteraction()
        takeBackTerminal()
        responder?.overlayDidRunUpdate()
    }

    private func perform(_ effect: OverlayEffect) {
        switch effect {
        case .redraw: draw(everyCell: false)
        case .redrawEveryCell: draw(everyCell: true)
        case .check: responder?.overlayRequestsCheck()
        case .copy(let text, let name):
            let wasSent = sendToClipboard(text)
            interact { $0.clipboardAnswered(name, wasSent: wasSent, at: time.now) }
        case .openLink(let address):
            let browser = browse(address)
            let wasCopied = browser == nil && sendToClipboard(address)
            interact { $0.linkEnded(browser: browser, wasCopied: wasCopied, at: time.now) }
        case .runUpdate(let command): runUpdate(command)
        case .restart(let version): restart(version: version)
        case .goOnWithoutUpdate: responder?.overlayGoesOnWithoutUpdate()
        case .suspend: suspend()
        case .quit: quit()
        case .wake(let wait):
            _ = time.schedule(after: wait) { [weak self] in
                guard let self else { return }
                interact { $0.wake(at: self.time.now) }
            }
        }
    }
}
