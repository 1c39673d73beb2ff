import Bellerophon
import BellerophonCurses
import BellerophonViews
import Dispatch
import Foundation
import TerminalUI

/// The overlay window of a guard: renders the view to frames, which the relay paints over the program's screen.
@MainActor
package final class GuardWindow: OverlayWindow {
    /// What each kind of status does to the program besides covering it.
    package struct Responses: Equatable, Sendable {
        package var onKill = GuardResponse.cover
        package var onUpdate = GuardResponse.cover

        package init() {}
    }

    package weak var responder: (any OverlayResponder)?
    /// Passes events to the relay.
    package var post: (GuardEvent) -> Void = { _ in }
    /// Called after the view has appeared (true) or gone (false).
    package var onChange: (Bool) -> Void = { _ in }
    /// Whether quitting ends a program that runs. The person must then confirm it.
    package var hasProgram = false

    private let programName: String
    private let responses: Responses
    private let copiesText: Bool
    private let glyphs: GlyphStyle
    private var size: Size
    private var view: (any OverlayView)?
    private var content: OverlayContent?
    private var interaction = OverlayInteraction()
    /// Whether the person was asked to confirm that the program should end.
    private var awaitsConfirmation = false

    /// - Parameters:
    ///   - copiesText: whether the terminal takes requests to copy text (OSC 52).
    ///   - glyphs: the characters that the terminal draws.
    package init(
        programName: String, size: Size, responses: Responses, copiesText: Bool, glyphs: GlyphStyle = .unicode
    ) {
        self.programName = programName
        self.size = size
        self.responses = responses
        self.copiesText = copiesText
        self.glyphs = glyphs
    }

    package var isPresented: Bool { view != nil }
    /// The content that is shown; nil if none is.
    package var presentedContent: OverlayContent? { isPresented ? content : nil }

    // MARK: OverlayWindow

    package func present(_ view: any OverlayView, content: OverlayContent) {
        if view !== self.view { interaction.reset() }
        self.view = view
        self.content = content
        draw()
        onChange(true)
    }

    package func update(_ content: OverlayContent) {
        self.content = content
        draw()
    }

    package func dismiss() {
        view = nil
        awaitsConfirmation = false
        post(.unblock)
        onChange(false)
    }

    // MARK: Drawing

    private func draw() {
        guard let view, var content else { return }
        content.presentation = interaction.presentation
        content.presentation.glyphs = glyphs
        var frame = Frame(size)
        view.draw(content, in: &frame)
        post(.block(frame, content.stage == .updateRequired ? responses.onUpdate : responses.onKill))
    }

    /// Takes the terminal's new size.
    package func resize(_ size: Size) {
        self.size = size
        draw()
    }

    /// Draws again after another program had the terminal.
    package func redraw() {
        draw()
        post(.repaint)
    }

    // MARK: Keys

    /// Handles keys that were pressed on the cover.
    package func press(_ keys: [Key]) {
        for key in keys where isPresented {
            let confirms = awaitsConfirmation
            awaitsConfirmation = false
            for effect in interaction.handle(key, content: content, view: view, size: size) {
                perform(effect, isConfirmed: confirms)
            }
        }
    }

    private func perform(_ effects: [OverlayEffect]) {
        for effect in effects { perform(effect, isConfirmed: false) }
    }

    private func perform(_ effect: OverlayEffect, isConfirmed: Bool) {
        switch effect {
        case .redraw: draw()
        case .redrawEveryCell: redraw()
        case .check: responder?.overlayRequestsCheck()
        case .copy(let text, let name):
            copy(text)
            perform(interaction.clipboardAnswered(name, wasSent: copiesText))
        case .openLink(let address): open(address)
        case .runUpdate: post(.lend)
        case .suspend: post(.suspend)
        case .quit: quit(isConfirmed: isConfirmed)
        case .awaitNoticeEnd(let number): awaitNoticeEnd(number)
        }
    }

    private func quit(isConfirmed: Bool) {
        guard hasProgram, !isConfirmed else { return post(.quit) }
        awaitsConfirmation = true
        perform(interaction.notify("\(programName) still runs; press q again to end it"))
    }

    private func copy(_ text: String) {
        guard copiesText else { return }
        post(.pass(Clipboard.request(text)))
    }

    private func open(_ address: String) {
        if let browser = Browser(environment: ProcessInfo.processInfo.environment), browser.open(address) {
            perform(interaction.linkEnded(.opened(by: browser.name)))
        } else {
            copy(address)
            perform(interaction.linkEnded(copiesText ? .copied : .failed))
        }
    }

    private func awaitNoticeEnd(_ number: Int) {
        let time = OverlayInteraction.noticeTime / .seconds(1)
        DispatchQueue.main.asyncAfter(deadline: .now() + time) { [weak self] in
            MainActor.assumeIsolated {
                guard let self else { return }
                let effects = self.interaction.noticeExpired(number)
                // The question is answered only while it can be read.
                if !effects.isEmpty { self.awaitsConfirmation = false }
                self.perform(effects)
            }
        }
    }
}

/// Requests to a terminal's clipboard (OSC 52).
enum Clipboard {
    /// The longest text that is copied, in bytes. xterm takes about this much.
    private static let limit = 74_994

    /// The bytes that ask a terminal to copy a text. The text is sanitised, because it may be pasted into a shell.
    static func request(_ text: String) -> [UInt8] {
        let data = Data(TextSanitizer.printable(text).utf8.prefix(limit))
        return Array("\u{1B}]52;c;\(data.base64EncodedString())\u{07}".utf8)
    }
}
