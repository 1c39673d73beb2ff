import CNcurses
import Foundation
import TerminalIO
import TerminalShadow
import TerminalUI

/// Views over the program.
extension TerminalSession {
    /// Covers the program: nothing that it writes reaches the terminal until ``uncover()``.
    func cover() {
        guard coverage != .covered, !isClosed else { return }
        let wasUncovering = coverage == .uncovering
        coverage = .covered
        // Until the view is up, the deputy keeps away.
        let wasCoveredByDeputy = deputy.handOver()
        guard !isLent else { return }
        // The view comes at once, also on a terminal that has not taken the program's last paint.
        dropUnsentOutput()
        if isGuest { openOverlayScreen() }
        if wasCoveredByDeputy {
            modesBeforeCover = deputy.modesBeforeFrame
            // What was typed on the view that stood still is not meant for this one.
            terminal.dropInput()
            if isGuest { announceHost() }
        } else if !wasUncovering {
            modesBeforeCover = terminal.modes
            moveDescriptors()
        }
        terminal.set(coverModes)
        if !wasCoveredByDeputy { makeRoom() }
        watchInput()
        setNeedsPaint(whole: true)
        updateDeputy()
    }

    private func moveDescriptors() {
        let present = terminal.size ?? TerminalSize(columns: size.columns, rows: size.rows)
        hasNewSize = false
        let standIn = deputy.makeStandIn(modes: terminal.modes, size: present)
        // Without a pseudo-terminal, as with too many open files, the view comes all the same.
        try? standIn?.replace(standardDescriptor, modes: terminal.modes, size: present, cover: presentScreen)
        if isGuest { announceHost() }
    }

    /// What the terminal shows now, as far as it is known.
    private var presentScreen: ScreenCover { deputy.screen(size, isFullScreen: !isGuest || !isendwin()) }

    /// Lets the host's curses repeat the modes that it has set, for the stand-in terminal, which then knows them.
    private func announceHost() {
        guard standIn?.isHolding == true else { return }
        repeatHostModes()
    }

    private func repeatHostModes() {
        guard !isendwin(), let window = cncurses_stdscr() else { return }
        let visibility = curs_set(0)
        // A mode that curses believes to be set is not sent again.
        curs_set(1)
        curs_set(max(0, visibility < 0 ? 1 : visibility))
        if is_keypad(window) { keypad(window, true) }
        var mouse: mmask_t = 0
        mousemask(0, &mouse)
        if mouse != 0 { mousemask(mouse, nil) }
    }

    // MARK: The deputy

    /// Tells the deputy what the terminal shows.
    func updateDeputy() {
        let shown: StaticCover.Session =
            switch coverage {
            case _ where isLent || isClosed: .away
            case .none: .program
            case .covered: .view(modes: modesBeforeCover)
            case .uncovering: .away
            }
        deputy.setSession(shown)
    }

    /// Takes note of what the deputy has done to the view, before the window learns of the present status.
    func mainQueueReturns() {
        guard coverage == .covered, !isLent, !isClosed else { return }
        switch deputy.phase {
        case .none: break
        case .up:
            // The view is the same one, so what was typed meanwhile is meant for it, and is read next.
            deputy.handOver()
            terminal.set(coverModes)
            setNeedsPaint(whole: true)
            updateDeputy()
        case .removed:
            stopPainting()
            coverage = .none
            watchInput()
        }
    }

    /// Takes the terminal over from the deputy before it is left, in which case the window has not learned of the present status.
    func takeOverFromDeputy() {
        mainQueueReturns()
        if deputy.phase == .up { cover() }
    }

    /// Takes the terminal over from the deputy, now that the window shows the present status.
    /// - Parameter isCovered: whether the window has a view.
    func mainQueueReturned(isCovered: Bool) {
        if coverage == .covered, !isCovered { return uncover() }
        guard coverage == .none, !isLent, !isClosed, deputy.phase != .none else { return }
        if isCovered { return cover() }
        if deputy.phase == .up {
            // The session knows how to bring the program's screen back.
            cover()
            return uncover()
        }
        deputy.programHasPainted()
        if isGuest { repeatHostModes() }
        setNeedsPaint(whole: true)
        onUncovered?()
    }

    private func makeRoom() {
        // Without it nothing is known of the program's screen, and nothing could bring it back.
        let room = standIn.flatMap { $0.isHolding ? $0.cover() : nil } ?? []
        // The screen of this library is painted as a whole.
        output.write(CancelSequence.bytes + (isGuest ? room : []))
    }

    /// The modes of the terminal while a view is up.
    var coverModes: TerminalModes {
        isGuest ? (terminal.modes ?? terminal.originalModes).screen(interrupts: false, stops: false) : programModes
    }

    /// Takes the view away. The program gets its terminal back when that has taken the last of the view.
    func uncover() {
        guard coverage == .covered else { return }
        coverage = .uncovering
        guard !isClosed, !isLent else { return }
        stopPainting()
        dropUnsentOutput()
        beginUncovering()
    }

    private func beginUncovering() {
        guard coverage == .uncovering, !isLent, !isClosed else { return }
        guard takesOutput else { return whenOutputIsTaken { [weak self] in self?.beginUncovering() } }
        // What was typed on the view is not meant for a host. A program of this library may have typed keys for its accessory.
        if isGuest { dropTypedKeys() }
        output.write(standIn?.uncover() ?? [])
        endUncovering()
    }

    private func endUncovering() {
        guard coverage == .uncovering, !isLent, !isClosed else { return }
        guard output.isIdle else { return whenOutputIsTaken { [weak self] in self?.endUncovering() } }
        giveBack()
        watchInput()
        setNeedsPaint(whole: true)
        onUncovered?()
    }

    /// Gives the program its descriptors back, with the modes that it has set meanwhile.
    func giveBack() {
        coverage = .none
        var modes = modesBeforeCover
        if let standIn, standIn.isHolding {
            modes = standIn.modes ?? modes
            output.write(standIn.giveBack())
        }
        if let modes { terminal.set(modes) }
        if !isGuest, let screen { output.write(screen.hideCursor()) }
        // Curses in a host may have asked the stand-in terminal for its size.
        if hasNewSize { kill(getpid(), SIGWINCH) }
        hasNewSize = false
    }
}
