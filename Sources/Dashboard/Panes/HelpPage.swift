import Bellerophon
import TerminalUI

extension DashboardModel {
    func drawHelp(in frame: inout Frame, _ rect: Rect) {
        frame.box(rect, title: "Keys", style: Theme.accent, titleStyle: Theme.accent.with(.bold))
        let area = helpArea(in: rect)
        frame.scroll(ScrollText(helpLines(columns: area.columns)), from: scroll, in: area)
    }

    func helpArea(in body: Rect) -> Rect {
        let isRoomy = body.rows >= 26
        return body.inset(columns: body.columns >= 60 ? 3 : 2, rows: isRoomy ? 2 : 1)
    }

    /// The keys as the key map has them, then what the signs mean.
    func helpLines(columns: Int) -> [TextLine] {
        let width = min(columns, 100)
        let player = hasScenarios ? PlayerKeys.help : []
        let keys = Table.lines(DashboardCommand.keys(withScenarios: hasScenarios).help + player, columns: width)
        let stages = [StageLook.starting, StageLook(.active), StageLook(.killed), StageLook(.updateRequired), StageLook(.unknown)]
        let meanings = [
            "no check has ended yet", "the app may run", "the service is stopped; a view covers the app",
            "this version may not go on; a view covers the app", "no valid status is known; the app runs",
        ]
        let rows = zip(stages, meanings).map { look, meaning in
            TextLine([
                .init("\(look.glyph) \(CellText.padded(look.word, columns: 11))", look.style), .init(meaning),
            ])
        }
        return keys + [.empty, TextLine("States", Theme.accent.with(.bold))] + rows
    }
}
