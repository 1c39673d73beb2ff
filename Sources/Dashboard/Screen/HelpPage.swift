import Bellerophon
import ProgramKit
import TerminalUI

extension DashboardModel {
    func drawHelp(in frame: inout Frame, _ rect: Rect) {
        frame.box(rect, title: "Help", style: Theme.accent, titleStyle: Theme.accent.with(.bold))
        let area = helpArea(in: rect)
        frame.scroll(ScrollText(helpLines(columns: area.columns)), from: view.scroll, in: area)
    }

    func helpArea(in body: Rect) -> Rect {
        let isRoomy = body.rows >= 26
        return body.inset(columns: body.columns >= 60 ? 3 : 2, rows: isRoomy ? 2 : 1)
    }

    /// The content's text and links, the keys of the key map, and the meaning of the glyphs.
    func helpLines(columns: Int) -> [TextLine] {
        let width = min(columns, 100)
        let player = hasScenarios ? screen.keys.player.help : []
        let presenter = simulation.presentation == nil ? [] : Presentation.keys.help
        let keys = Table.lines(presenter + keyMap.help + player, columns: width, glyphs: screen.live.glyphs)
        let stages = [
            StageLook.starting, StageLook(.active), StageLook(.killed), StageLook(.updateRequired), StageLook(.unknown),
        ]
        let meanings = [
            "no check has ended yet", "the app may run", "the service is stopped; a view covers the app",
            "this version may not go on; a view covers the app", "no valid status is known; the app runs",
        ]
        let rows = zip(stages, meanings).map { look, meaning in
            TextLine([
                .init("\(look.glyph) \(CellText.padded(look.word, columns: 11))", look.style), .init(meaning),
            ])
        }
        let heading = Theme.accent.with(.bold)
        let about = aboutLines(columns: width)
        let keyHeading = about.isEmpty ? [] : [TextLine.empty, TextLine("Keys", heading)]
        return about + keyHeading + keys + [.empty, TextLine("States", heading)] + rows
    }

    /// The title and text of the content, the addresses of the status and of an update, and the content's links.
    private func aboutLines(columns: Int) -> [TextLine] {
        let heading = screen.content.title.map { [TextLine($0, Theme.accent.with(.bold))] } ?? []
        let text = screen.content.help.isEmpty ? [] : TextLine.wrapped(screen.content.help, columns: columns)
        let update = (service.machine.facts[.link] ?? service.app.link).map {
            (label: "Update", text: TextLine.Span($0, Theme.link.linked(to: $0)))
        }
        let links =
            [(label: "Status", text: TextLine.Span(service.source))] + (update.map { [$0] } ?? [])
            + screen.content.links.map { (label: $0.title, text: TextLine.Span($0.url, Theme.link.linked(to: $0.url))) }
        return heading + text + (heading.isEmpty && text.isEmpty ? [] : [.empty]) + Table.lines(links, columns: columns)
    }
}
