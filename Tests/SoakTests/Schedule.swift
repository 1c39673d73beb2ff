import Bellerophon
import BellerophonBase

/// A priority queue ordered by due time, then by insertion. It is a binary heap, written for speed without
/// optimisation.
struct Schedule<Element: Sendable>: Sendable {
    private struct Entry: Sendable {
        let due: MonotonicInstant
        /// In seconds, which is faster to compare.
        let key: Double
        let order: Int
        let element: Element
    }

    private var heap: [Entry] = []
    private var lastOrder = 0

    mutating func add(_ element: Element, due: MonotonicInstant) {
        lastOrder += 1
        heap.append(Entry(due: due, key: due.offset.inSeconds, order: lastOrder, element: element))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard comes(child, before: parent) else { return }
            heap.swapAt(parent, child)
            child = parent
        }
    }

    /// Removes the next element, unless it is due after `end`.
    mutating func next(until end: MonotonicInstant) -> (due: MonotonicInstant, element: Element)? {
        guard let first = heap.first, first.due <= end else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return (first.due, first.element)
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = 2 * parent + 1
            guard least < heap.count else { return }
            if least + 1 < heap.count, comes(least + 1, before: least) { least += 1 }
            guard comes(least, before: parent) else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    private func comes(_ one: Int, before other: Int) -> Bool {
        heap[one].key == heap[other].key ? heap[one].order < heap[other].order : heap[one].key < heap[other].key
    }
}
