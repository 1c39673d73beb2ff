import Barricade
import Foundation
import TestSupport
import Testing

/// The behaviour of every store of selections. Add further stores to the list.
@Suite struct SelectionStoreTests {
    enum Kind: CaseIterable { case memory, file }

    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func store(_ kind: Kind) -> any SelectionStore {
        switch kind {
        case .memory: .memory
        case .file: .file(in: folder.url)
        }
    }

    @Test(arguments: Kind.allCases)
    func keepsOneSelectionForEachRequest(kind: Kind) {
        let store = store(kind)
        #expect(store.selection(for: "status") == nil)
        store.select("killed", for: "status")
        store.select("empty", for: "list")
        store.select("live", for: "status")
        #expect(store.selection(for: "status") == "live")
        #expect(store.selection(for: "list") == "empty")

        store.select(nil, for: "status")
        #expect(store.selection(for: "status") == nil)
        #expect(store.selection(for: "list") == "empty")

        store.reset()
        #expect(store.selection(for: "list") == nil)
    }

    @Test(arguments: Kind.allCases)
    func manyThreadsLoseNothing(kind: Kind) async {
        let store = store(kind)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 { group.addTask { store.select("r\(number)", for: "q\(number)") } }
        }
        #expect((0..<40).allSatisfy { store.selection(for: "q\($0)") == "r\($0)" })
    }

    // MARK: The file

    @Test func aRestartFindsTheSelections() {
        let url = folder.url.appendingPathComponent("state/deeper")
        FileSelectionStore(folder: url).select("paused, \"é\"", for: "status")
        let next = FileSelectionStore(folder: url)
        #expect(next.selection(for: "status") == "paused, \"é\"")
        #expect(next.problem == nil)
        next.reset()
        #expect(FileSelectionStore(folder: url).selection(for: "status") == nil)
    }

    @Test("The selections are in the user's folder for state")
    func stateFolderFollowsSystem() {
        let store = FileSelectionStore.userState("notes", environment: ["HOME": "/home/me"])
        #expect(store.url.path == "/home/me/.local/state/notes/barricade-selections.json")
    }

    @Test func theFolderIsTheOwnersOnly() throws {
        let url = folder.url.appendingPathComponent("state")
        FileSelectionStore(folder: url).select("a", for: "b")
        let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    @Test(arguments: ["", "{", "[1]", #"{"status": 5}"#])
    func aBrokenFileIsReportedAndCountsAsEmpty(text: String) throws {
        try folder.write(text, to: "barricade-selections.json")
        let store = FileSelectionStore(folder: folder.url)
        #expect(store.selection(for: "status") == nil)
        #expect(store.problem == "the selections in \(store.url.path) can't be read: the file is damaged; it counts as empty")

        store.select("live", for: "status")
        #expect(store.problem == nil)
        #expect(FileSelectionStore(folder: folder.url).selection(for: "status") == "live")
    }

    @Test("Selections that cannot be saved last until the program ends, and the problem is reported")
    func unwritableStoreKeepsMemory() throws {
        let blocked = try folder.write("a file where a folder should be", to: "blocked")
        let store = FileSelectionStore(folder: URL(filePath: blocked))
        store.select("live", for: "status")
        #expect(store.selection(for: "status") == "live")
        #expect(
            store.problem
                == "the selections can't be saved to \(blocked)/barricade-selections.json; they last until the program ends")
    }

    @Test func aBarricadeComesBackAsItWasLeft() throws {
        func barricade() -> BarricadeServer {
            let barricade = BarricadeServer(store: .file(in: folder.url))
            barricade.register(ResponseSet("status", responses: [BarricadeTests.live, BarricadeTests.killed]) { _ in true })
            return barricade
        }
        try barricade().select("killed", for: "status")
        #expect(barricade().selectedResponse(for: "status")?.name == "killed")
        barricade().resetSelections()
        #expect(barricade().selectedResponse(for: "status")?.name == "live")
    }
}
