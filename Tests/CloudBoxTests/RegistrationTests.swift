import CloudBox
import Foundation
import TestSupport
import Testing

@Suite("A resource")
struct RegistrationTests {
    @Test(arguments: [
        "", ".", "..", "../x", "a/b", "/a", ".hidden", "-a", "_a", "a b", "é", "a\0b", "a\u{202E}b",
        String(repeating: "a", count: 129),
    ])
    func hasANameThatStaysInsideTheFolder(name: String) throws {
        let it = try Box([])
        #expect(throws: CloudBoxError(name, .invalidName)) { try it.box.register(name) }
    }

    @Test(arguments: ["a", "MyResource.js", "0", "a..b", String(repeating: "a", count: 128)])
    func mayBeNamedAsFilesAre(name: String) throws {
        let it = try Box([])
        try it.box.register(name)
        #expect(it.box.registeredNames == [name])
    }

    @Test("An unregistered resource causes an error that lists the registered names")
    func unregisteredNameIsAnError() async throws {
        let it = try Box([], registering: "help.txt")
        try it.box.register("about.txt")
        let error = CloudBoxError("hepl.txt", .notRegistered(registered: ["about.txt", "help.txt"]))
        #expect(throws: error) { try it.box.data(for: "hepl.txt") }
        #expect(throws: error) { try it.box.facts(for: "hepl.txt") }
        #expect(throws: error) { try it.box.addPostUpdateHandler(for: "hepl.txt") { _ in } }
        #expect(await it.box.sync("hepl.txt") == .failed(error))
        #expect(
            error.description
                == "hepl.txt: not registered; call register(_:) first. Registered: about.txt, help.txt")
        #expect(throws: CloudBoxError("help.txt", .alreadyRegistered)) { try it.box.register("help.txt") }
        #expect(throws: CloudBoxError("help.txt", .nothingYet)) { try it.box.data(for: "help.txt") }
    }

    @Test func hasServersThatCanBeAsked() throws {
        let it = try Box([])
        let file = URL(fileURLWithPath: "/etc/hosts")
        #expect(throws: CloudBoxError("a", .unusableServer("file:///etc/hosts"))) { try it.box.register("a", servers: [file]) }
        #expect(it.box.registeredNames.isEmpty)
    }

    @Test(
        "The higher of the bundled and cached versions is used, and the bundled one if they are equal",
        arguments: [
            (3, "bundled"), (4, "bundled"), (5, "cached"),
        ])
    func higherVersionIsUsed(cached: Int64, winner: String) throws {
        let folder = try TestFolder()
        try folder.write("cached", to: "resources/a/\(cached)")
        let it = try Box([], registering: "a", folder: folder, bundled: .embedded(["a": .init(version: 4, text: "bundled")]))
        #expect(try it.text("a") == winner)
        let facts = try it.box.facts(for: "a")
        #expect(facts.origin?.rawValue == winner)
        #expect(facts.version == max(cached, 4))
        #expect(facts.digest == Digest(.sha256, of: Data(winner.utf8)))
        #expect(try it.box.fileURL(for: "a")?.lastPathComponent == (winner == "cached" ? "5" : nil))
    }

    @Test("Bundled resources are read from a JSON manifest, a property list or numbered files")
    func bundleFormatsAreRead() throws {
        let json = try TestFolder()
        try json.write("four", to: "texts/help.txt")
        try json.write(#"{"resources":{"help.txt":{"version":"4","path":"texts/help.txt"}}}"#, to: "manifest.json")
        let list = try TestFolder()
        try list.write("four", to: "res/help.txt")
        try list.write(
            """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>help.txt</key><dict>
            <key>version</key><integer>4</integer><key>path</key><string>res/help.txt</string></dict></dict></plist>
            """, to: "Manifest.plist")
        let numbered = try TestFolder()
        try numbered.write("three", to: "help.txt/3")
        try numbered.write("four", to: "help.txt/4")
        try numbered.write("no version", to: "help.txt/05")
        for folder in [json, list, numbered] {
            let it = try Box([], registering: "help.txt", bundled: .folder(folder.url))
            try it.box.register("other.txt")
            #expect(try it.text("help.txt") == "four")
            #expect(try it.box.facts(for: "help.txt").version == 4)
            #expect(try it.box.facts(for: "other.txt").version == nil)
        }
    }

    @Test(
        "An invalid bundled manifest is reported, and the resource can still be synced",
        arguments: [
            (
                #"{"resources":{"a":{"version":4,"path":"../secret"}}}"#,
                #"the path "../secret" is not a plain path inside the folder"#
            ),
            (
                #"{"resources":{"a":{"version":4,"path":"/etc/passwd"}}}"#,
                #"the path "/etc/passwd" is not a plain path inside the folder"#
            ),
            (#"{"resources":{"a":{"version":4}}}"#, #"resources.a has no "path""#),
            (
                #"{"resources":{"a":{"version":-4,"path":"a"}}}"#,
                "resources.a.version: a version is a whole number from 0 on, or its digits as text"
            ),
            (#"{"resources":{"a":{"version":4,"path":"file","sha256":"12"}}}"#, "sha256 is not 64 hexadecimal digits"),
        ])
    func invalidManifestIsReported(manifest: String, problem: String) async throws {
        let folder = try TestFolder()
        let path = try folder.write(manifest, to: "manifest.json")
        try folder.write("bytes", to: "file")
        let server = try ResourceServer(["a": .init(version: 1, "synced")])
        let it = try Box([server.url], registering: "a", bundled: .folder(folder.url))
        #expect(throws: CloudBoxError("a", .bundled("\(path): \(problem)"))) { try it.box.data(for: "a") }
        #expect(await it.box.sync("a") == .updated(version: 1, from: nil, received: 6))
        #expect(try it.text("a") == "synced")
    }

    @Test("Bundled bytes that do not match their digest are refused")
    func mismatchedBundleIsRefused() throws {
        let it = try Box([])
        let stated = try #require(Digest(.sha256, of: Data("right".utf8)))
        let found = try #require(Digest(.sha256, of: Data("wrong".utf8)))
        try it.box.register("a", bundled: .init(version: 1, content: .bytes(Data("wrong".utf8)), digest: stated))
        #expect(throws: CloudBoxError("a", .bundled("expected \(stated), got \(found)"))) { try it.box.data(for: "a") }
    }

    @Test("A cached file with the wrong size is replaced by the bundled version")
    func truncatedCacheUsesBundled() async throws {
        let server = try ResourceServer(["a": .init(version: 2, "synced")])
        let first = try Box([server.url], registering: "a")
        await first.box.sync("a")
        try first.folder.write("cut", to: "resources/a/2")
        let it = try Box(
            [server.url], registering: "a", folder: first.folder, bundled: .embedded(["a": .init(version: 1, text: "bundled")])
        )
        #expect(try it.text("a") == "bundled")
        #expect(try it.box.facts(for: "a").remark == "the cached version 2 is damaged: it has 3 bytes in place of 6")
        #expect(await it.box.sync("a") == .updated(version: 2, from: 1, received: 6))
        #expect(try it.text("a") == "synced")
    }
}
