import Barricade
import Testing

/// What every store of selections does. A further store joins the list.
@Suite struct SelectionStoreTests {
    @Test(arguments: [MemorySelectionStore() as any SelectionStore])
    func keepsOneSelectionForEachRequest(store: any SelectionStore) {
        #expect(store.selection(for: "status") == nil)
        store.select("killed", for: "status")
        store.select("empty", for: "list")
        #expect(store.selection(for: "status") == "killed")
        #expect(store.selection(for: "list") == "empty")

        store.select(nil, for: "status")
        #expect(store.selection(for: "status") == nil)
        #expect(store.selection(for: "list") == "empty")

        store.reset()
        #expect(store.selection(for: "list") == nil)
    }
}
