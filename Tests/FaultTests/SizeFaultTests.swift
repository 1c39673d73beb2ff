import Bellerophon
import BellerophonCurses
import Dashboard
import Foundation
import TerminalUI
import Testing

/// Screens from one cell to a million: each is drawn completely, and names what covers the app.
@MainActor
@Suite("Sizes")
struct SizeFaultTests {
    nonisolated static let spans = [1, 2, 3, 7, 23, 24, 40, 79, 80, 133, 1000]
    nonisolated static var sizes: [Size] {
        let all: [Size] = spans.flatMap { columns in spans.map { Size(columns: columns, rows: $0) } }
        return all.filter { $0.columns < 1000 || $0.rows < 80 || $0.rows == 1000 }
    }

    nonisolated static let pages: [OverlayPresentation.Page] = [.status, .details, .help]

    @Test(arguments: [("●", false, false), ("■", true, false), ("▲", false, true)])
    func everySizeIsDrawn(mark: String, isInactive: Bool, requiresUpdate: Bool) {
        let document = StatusDocument(
            isInactive: isInactive, requiresUpdate: requiresUpdate, interval: 9,
            message: String(repeating: "Zurück um 14:30. 下一个 🐎\n", count: 40), requiredVersion: "2.0",
            link: "https://example.com/get"
        )
        let rendering = StatusRendering(
            document: document, app: AppInfo(name: "app", version: "1.0"), date: Date(timeIntervalSince1970: 1_768_485_731),
            timeZone: .gmt
        )
        for size in Self.sizes {
            for page in Self.pages {
                let frame = rendering.frame(size, page: page)
                #expect(frame.size == size)
                if page == .status { #expect(frame.text.contains(mark), "\(size)") }
            }
        }
    }
}
