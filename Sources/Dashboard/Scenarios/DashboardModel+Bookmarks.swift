import ProgramKit
import ScenarioKit
import TerminalUI

extension DashboardModel {
    /// Marks the item under the cursor, or removes its mark. The cursor stays on the item.
    mutating func toggleBookmark() -> [DashboardEffect] {
        guard let item = itemAtCursor else { return [] }
        if let index = bookmarks.firstIndex(of: item.bookmark) {
            bookmarks.remove(at: index)
            showNotice("no bookmark any more: \(item.name)")
        } else {
            bookmarks.append(item.bookmark)
            showNotice("bookmark: \(item.name)")
        }
        return [.saveBookmarks(bookmarks)]
    }

    /// Applies or plays the marked item after the current one.
    mutating func pickNextBookmark() -> [DashboardEffect] {
        guard let list = simulation.scenarios, list.bookmarkCount > 0 else {
            let key = keyMap.hint(.bookmark, word: "").first?.key
            showProblem("nothing is marked" + (key.map { "; \($0) marks a scenario" } ?? ""))
            return []
        }
        let marked = list.items.prefix(list.bookmarkCount)
        let current = marked.firstIndex(where: list.isCurrent)
        return [.barricade(marked[((current ?? -1) + 1) % marked.count].command)]
    }
}
