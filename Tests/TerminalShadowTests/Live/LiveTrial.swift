import TerminalUI
import TestSupport

@testable import TerminalShadow

/// A part of a session: the program's output, or what happens over it.
enum LiveStep: CustomStringConvertible, Sendable {
    case output([UInt8])
    case cover, uncover
    case notice(Bool)

    var description: String {
        switch self {
        case .output(let bytes): String(decoding: bytes, as: UTF8.self).debugDescription
        case .cover: "COVER"
        case .uncover: "UNCOVER"
        case .notice(let isOn): isOn ? "NOTICE" : "NO NOTICE"
        }
    }
}

/// Compares a live terminal whose program was covered with one that got the same output directly.
struct LiveTrial {
    let direct: LiveTerminal
    let covered: LiveTerminal
    let dialect: TerminalDialect

    init(_ family: TerminalDialect.Family) throws {
        dialect = TerminalDialect(family)
        direct = family == .tmux ? try LiveTmux() : try LiveXterm(at: 0)
        covered = family == .tmux ? try LiveTmux() : try LiveXterm(at: 1)
    }

    func end() {
        direct.end()
        covered.end()
    }

    private static let modePrefix = Array("\u{1B}[?".utf8)

    private static let notice: ScreenNotice = {
        var frame = Frame(Size(columns: 6, rows: 1))
        frame.write("notice", in: frame.bounds, style: Style(.reverse), alignment: .right)
        return ScreenNotice(frame, writer: FrameWriter(TerminalLook(depth: .indexed), hyperlinks: false))
    }()

    /// What differs in the end; empty if nothing does, or if the cover says that it can't restore everything.
    func findings(_ steps: [LiveStep]) throws -> [String] {
        try direct.reset()
        try covered.reset()
        var cover = ScreenCover(columns: LiveTerminal.columns, rows: LiveTerminal.rows, dialect: dialect, keepsMainScreen: true)
        cover.anchor(column: 0, row: 0)
        _ = cover.output(direct.preface)
        var lastSwitch: [UInt8] = []
        for step in steps {
            switch step {
            case .output(let bytes):
                // See ``LiveStream``.
                if dialect.family == .tmux, bytes.count >= 6, bytes.starts(with: Self.modePrefix),
                    bytes.contains(UInt8(ascii: "4"))
                {
                    let isBack = bytes.elementsEqual("\u{1B}[?1049l".utf8)
                    if isBack, !cover.shadow.isAlternate || !lastSwitch.elementsEqual("\u{1B}[?1049h".utf8) { continue }
                    if bytes.last == UInt8(ascii: "h"), !cover.shadow.isAlternate { lastSwitch = bytes }
                }
                try direct.feed(bytes)
                try covered.feed(cover.output(bytes).terminal)
            case .cover where !cover.isCovered:
                let painting = CoveredRun.painting(columns: LiveTerminal.columns, rows: LiveTerminal.rows)
                try covered.feed(cover.cover() + painting + ScreenCover.endOfUpdate)
            case .uncover where cover.isCovered: try covered.feed(cover.uncover())
            case .notice(let isOn): try covered.feed(cover.setNotice(isOn ? Self.notice : nil))
            case .cover, .uncover: break
            }
        }
        try covered.feed(cover.uncover() + cover.setNotice(nil) + cover.flush())
        // What is left on the screen that is not shown is seen after a switch.
        guard !cover.isInexact, !cover.shadow.inexactness.isMain else { return [] }
        var findings = try differences()
        for probe in Self.probes where findings.isEmpty {
            try direct.feed(probe)
            try covered.feed(probe)
            findings = try differences().map { "after \(LiveStep.output(probe)), \($0)" }
        }
        // xterm has no picture of U+FFFD in this font, and leaves parts of what was there.
        let isDrawable = steps.allSatisfy {
            if case .output(let bytes) = $0 { String(validating: bytes, as: UTF8.self) != nil } else { true }
        }
        return try findings.isEmpty && isDrawable && !hasSamePicture() ? ["the pictures differ"] : findings
    }

    /// Show what no terminal tells: the pending wrap, character sets, tab stops, margins, the saved cursors.
    private static let probes =
        [
            "qx", "\u{0E}q\u{0F}q", "\r\n\t|\t|\t|", "\u{1B}8qx", "\u{1B}[1;1Ho\u{1B}[99;99Hl\r\n\n", "\u{1B}[?1047l",
            "\u{1B}8qx",
        ].map { Array($0.utf8) }

    private func differences() throws -> [String] { try covered.snapshot().differences(from: direct.snapshot()) }

    /// xterm draws later than it replies.
    private func hasSamePicture() throws -> Bool {
        for _ in 0..<200 {
            let (mine, its) = (try covered.picture(), try direct.picture())
            if mine == its { return true }
        }
        return false
    }

    /// The fewest steps that still differ.
    func minimised(_ steps: [LiveStep]) throws -> [LiveStep] {
        var steps = steps, size = steps.count / 2
        while size >= 1 {
            var index = 0
            while index < steps.count {
                var fewer = steps
                fewer.removeSubrange(index..<min(index + size, steps.count))
                if try findings(fewer).isEmpty { index += size } else { steps = fewer }
            }
            size /= 2
        }
        return steps
    }
}

extension LiveTrial {
    /// Tries sessions with these seeds, and describes each that differs, also in new terminals, with the fewest steps.
    static func failures(_ family: TerminalDialect.Family, seeds: Range<UInt64>) throws -> [String] {
        var trial = try LiveTrial(family), failures: [String] = []
        defer { trial.end() }
        for seed in seeds {
            let steps = LiveStream.steps(seed: seed, family: family)
            guard try !trial.findings(steps).isEmpty else { continue }
            trial.end()
            trial = try LiveTrial(family)
            guard try !trial.findings(steps).isEmpty else { continue }
            let fewest = try trial.minimised(steps), found = try trial.findings(fewest)
            // A picture can be taken while the terminal draws.
            if !found.isEmpty { failures.append("seed \(seed): \(fewest) \(found.prefix(4))") }
        }
        return failures
    }
}
