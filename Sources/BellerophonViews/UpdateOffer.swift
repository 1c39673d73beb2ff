import Bellerophon
import TerminalUI

/// How a required version can be had, in the lines of a view.
///
/// The first line is the truth about it. Details follow, the most important first, so that a small terminal leaves out the last ones.
struct UpdateOffer {
    let content: OverlayContent
    let report: UpdateReport
    let columns: Int
    /// The most lines.
    let rows: Int

    var lines: [TextLine] {
        var lines: [TextLine] = []
        for paragraph in paragraphs {
            let wrapped = paragraph.wrapped(columns)
            // What is cut could be misunderstood, so a paragraph is shown whole; only the first one always has its place.
            guard lines.isEmpty || lines.count + wrapped.count <= rows else { continue }
            lines += wrapped.prefix(max(1, rows))
        }
        return lines
    }

    /// A text that is wrapped as a whole.
    private struct Paragraph {
        var text: String
        var style = Theme.text
        /// The part after the text that is drawn in another style, in a line of its own if both do not fit.
        var emphasis = ""
        var emphasisStyle = Theme.strong

        func wrapped(_ columns: Int) -> [TextLine] {
            let whole = emphasis.isEmpty ? text : "\(text) \(emphasis)"
            if CellText.width(of: whole) <= columns {
                return [
                    TextLine(
                        [.init(text, style)] + (emphasis.isEmpty ? [] : [.init(" ", style), .init(emphasis, emphasisStyle)]))
                ]
            }
            return CellText.wrapEvenly(text, columns: columns).map { TextLine($0, style) }
                + (emphasis.isEmpty ? [] : CellText.wrap(emphasis, columns: columns).map { TextLine($0, emphasisStyle) })
        }
    }

    private var paragraphs: [Paragraph] { truth + details + link }

    // MARK: The truth in a line

    private var truth: [Paragraph] {
        let words = UpdateWords.truth(report, of: content)
        guard let command = offered else { return [Paragraph(text: words, style: style)] }
        return [Paragraph(text: "\(words):", style: style, emphasis: "[u] \(command)")]
    }

    private var style: Style {
        switch report.state {
        case .asking, .ready, .installed, .notYet, .unclear: Theme.text
        case .unmoved, .unproved, .failed, .broken: Theme.warning
        }
    }

    /// What the key does, if the first line ends with it.
    private var offered: String? {
        switch (report.state, report.action) {
        case (.ready, .run(let command)?): UpdateWords.shown(command.text)
        case (.installed, .restart?): words.startAgain
        case (.asking, .run(let command)?), (.unclear, .run(let command)?): UpdateWords.shown(command.text)
        default: nil
        }
    }

    // MARK: What helps

    private var details: [Paragraph] {
        switch report.state {
        case .failed(let attempt): output(attempt.lines) + hints + again
        case .broken(_, _, let lines): output(lines) + [Paragraph(text: words.leave, style: Theme.muted)]
        case .unmoved, .unproved: hints + again
        case .notYet: again
        case .ready: hints
        case .asking, .unclear, .installed: []
        }
    }

    private func output(_ lines: [String]) -> [Paragraph] {
        lines.suffix(3).map { Paragraph(text: CellText.truncate($0, columns: columns), style: Theme.muted) }
    }

    /// Why an update may not have the expected effect.
    private var hints: [Paragraph] {
        var hints: [Paragraph] = []
        if report.isPinned {
            let phrase = report.unpinCommand == nil ? words.pinned : words.pinnedRun
            hints.append(
                Paragraph(
                    text: phrase.with(["source": source]), style: Theme.warning,
                    emphasis: report.unpinCommand.map(UpdateWords.shown) ?? ""))
        }
        if case .ready = report.state { return hints }
        if let first = report.copies.first(where: \.isFirst) ?? report.copies.first {
            hints.append(Paragraph(text: (first.isFirst ? words.copyFirst : words.copy).with(["path": first.path])))
        }
        return hints
    }

    /// The command that can be run now.
    private var again: [Paragraph] {
        switch report.action {
        case .run(let command)?:
            let isRefresh = command.purpose == .refresh
            return [
                Paragraph(
                    text: isRefresh ? words.lookForNewer : words.tryAgain, style: Theme.muted,
                    emphasis: "[u] \(UpdateWords.shown(command.text))")
            ]
        case .goOn(let end)?:
            return [
                Paragraph(
                    text: words.goOnUntil.with(["time": content.planText(end)]), emphasis: "[u] \(content.phrases.keys.goOn.hint)"
                )
            ]
        case .restart?: return [Paragraph(text: words.see, style: Theme.muted, emphasis: "[u] \(words.startAgain)")]
        case nil: return []
        }
    }

    private var link: [Paragraph] {
        guard let link = content.link, !report.isEnd else { return [] }
        return [Paragraph(text: words.getIt, style: Theme.muted, emphasis: link, emphasisStyle: Theme.link.linked(to: link))]
    }

    private var source: String { report.source ?? words.source }
    private var words: OverlayPhrases.Update { content.phrases.update }
}

extension UpdateReport {
    /// Whether nothing more has to be got.
    var isEnd: Bool { if case .installed = state { true } else { isBroken } }

    /// Whether the new version has failed right after its start.
    package var isBroken: Bool { if case .broken = state { true } else { false } }
}

extension OverlayContent {
    /// The installed version, also after an update that the running program does not know.
    var installedVersion: String? {
        switch update?.state {
        case .installed(let version): version
        case .unmoved(_, let found?): found
        default: app.version
        }
    }

    /// What the key for an update does now; nil if it does nothing.
    package var updateAction: UpdateAction? {
        if let update { return update.action }
        guard let command = app.updateCommand, !command.isEmpty else { return nil }
        return .run(UpdateCommand(command, goesBack: olderVersion != nil))
    }
}
