import BellerophonStore
import Foundation
import StatusModel
import TestSupport
import Testing

@Suite("Static export")
struct ExportTests {
    private let home: TestFolder
    private let store: Store

    init() throws {
        home = try TestFolder()
        store = try Store(folder: home.url.appendingPathComponent("store"), creates: true)
    }

    private var command: [String] {
        ["export", home.path("public"), "--public-url", "https://cdn.example/app/", "--store", home.path("store")]
    }

    private func export(_ arguments: String...) async throws -> CommandResult {
        try await runServerCommand(command + arguments, home: home)
    }

    private func put(_ name: String, _ text: String) async throws {
        let content = try store.receive()
        try content.write(Data(text.utf8))
        _ = try await store.putResource(name, .content(content), by: "ada")
    }

    private func files() throws -> Set<String> {
        let base = home.path("public")
        return Set(
            try FileManager.default.subpathsOfDirectory(atPath: base).filter { path in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: "\(base)/\(path)", isDirectory: &isFolder) && !isFolder.boolValue
            })
    }

    private func identity(_ path: String) throws -> NSNumber? {
        try FileManager.default.attributesOfItem(atPath: home.path("public/\(path)"))[.systemFileNumber] as? NSNumber
    }

    @Test("An export says when time alone changes it, and the one at that time has the change")
    func exportSaysWhenItMustRunAgain() async throws {
        #expect(try await export("--until-next").standardOutput == "never\n")
        let rule = #"{"id":"mw","effect":"pause","from":"2099-12-05T22:00:00Z","until":"2099-12-05T23:00:00Z"}"#
        _ = try await store.publish(Publication(scope: .main, rules: RulesEdit(put: [rule], everyone: true)), by: "ada")
        #expect(try await export("--until-next").standardOutput == "2099-12-05T22:00:00Z\n")
        #expect(home.text("public/status")?.contains(#""from":"2099-12-05T22:00:00Z""#) == true)
        #expect(try await export("--until-next", "--dry-run").status == .exited(64))
        _ = try await store.publish(Publication(action: .update, requiredVersion: "2", endsAfter: .seconds(3600)), by: "ada")
        let kill = try await store.publish(Publication(action: .kill), by: "ada")
        let hidden = PlanTime.text(try #require(kill.kept.standing.last?.endsAt).addingTimeInterval(1))
        let told = try await export()
        #expect(home.text("public/status")?.contains(#""apiInactive":true"#) == true, "what is shown is written")
        #expect(
            told.standardError.wholeMatch(of: /export again at (.*), even if nothing is published until then\n/)
                .map { String($0.output.1) <= hidden } == true, "\(told.standardError)")
        // Nobody else ends what is timed.
        var timed = Publication(action: .kill, message: "Back at noon.", endsAfter: .seconds(1))
        timed.replaces = kill.id
        _ = try await store.publish(timed, by: "ada")
        try await eventually("its end") {
            _ = try await export()
            return home.text("public/status").flatMap { $0.contains(#""apiInactive":true"#) ? nil : $0 }
        }
    }

    @Test("An export contains every public file under the server's paths")
    func exportContainsReadSide() async throws {
        let beta = try Scope(app: "notes", channel: "beta")
        _ = try await store.publish(Publication(action: .kill, message: "Back at noon."), by: "ada")
        _ = try await store.publish(Publication(scope: beta, action: .restore), by: "ada")
        try await put("help.txt", "one")
        try await put("help.txt", "two")
        _ = try await store.putResource(
            "film", .external(ExternalResource(url: "https://film.example/f", version: 3)), by: "ada")
        let result = try await export()
        #expect(result.standardOutput == "9 written, 0 unchanged, 0 removed\n")
        #expect(
            try files() == [
                "status", "v1/apps/default/status", "v1/apps/notes/status", "v1/apps/notes/channels/beta/status", "alive",
                "GBCloudBoxResourcesMeta/help.txt", "GBCloudBoxResourcesMeta/film", "GBCloudBoxResourcesData/help.txt/1",
                "GBCloudBoxResourcesData/help.txt/2", "_headers", "bellerophon-export.json",
            ])
        #expect(
            home.text("public/status")
                == #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"Back at noon."}"#)
        #expect(
            home.text("public/GBCloudBoxResourcesMeta/help.txt")?.hasSuffix(
                #""size":3,"url":"https://cdn.example/app/GBCloudBoxResourcesData/help.txt/2"}"#) == true)
        #expect(home.text("public/GBCloudBoxResourcesMeta/film") == #"{"v":3,"url":"https://film.example/f"}"#)
        #expect(home.text("public/GBCloudBoxResourcesData/help.txt/1") == "one")
        #expect(
            home.text("public/_headers")?.contains(
                """
                /GBCloudBoxResourcesData/help.txt/2
                  Content-Type: application/octet-stream
                  Cache-Control: public, max-age=31536000, immutable
                  X-Content-Type-Options: nosniff
                """) == true)
    }

    @Test("An export keeps unchanged files and removes obsolete ones")
    func exportUpdatesOnlyChanges() async throws {
        try await put("help.txt", "one")
        try await put("old.txt", "old")
        _ = try await export()
        _ = try await store.deleteResource("old.txt", by: "ada")
        let before = try identity("status")
        _ = try await store.publish(Publication(action: .kill), by: "ada")
        #expect(try await export("--dry-run").standardOutput == "2 would be written, 3 unchanged, 2 would be removed\n")
        #expect(try files().contains("GBCloudBoxResourcesData/old.txt/1"))
        #expect(try await export().standardOutput == "2 written, 3 unchanged, 2 removed\n")
        #expect(try identity("status") != before)
        #expect(!FileManager.default.fileExists(atPath: home.path("public/GBCloudBoxResourcesData/old.txt")))
        let now = try identity("status")
        #expect(try await export().standardOutput == "0 written, 5 unchanged, 0 removed\n")
        #expect(try identity("status") == now)
        let json = try await export("--json").standardOutput
        #expect(json.hasPrefix(#"{"failed":[],"removed":[],"unchanged":["status","v1/apps/default/status","alive","#))
    }

    @Test func aFileThatSomebodyDamagedIsWrittenAnew() async throws {
        _ = try await export()
        try home.write("damaged", to: "public/status")
        #expect(try await export().standardOutput == "1 written, 2 unchanged, 0 removed\n")
        #expect(home.text("public/status")?.hasPrefix(#"{"apiInactive":false"#) == true)
    }

    @Test func aFolderWithOtherFilesIsLeftAlone() async throws {
        try home.write("mine", to: "public/letter.txt")
        let result = try await export()
        #expect(result.status == .exited(73))
        #expect(result.standardError.contains("holds other files, and no export"))
        #expect(try files() == ["letter.txt"])
    }

    /// A file size limit stops the first export in the middle of the second resource.
    @Test func anExportThatWasCutOffIsCompletedByTheNext() async throws {
        try await put("a.txt", "one")
        try await put("z.bin", String(repeating: "z", count: 4 << 20))
        let program = try Products.path("bellerophon-server")
        let script = "ulimit -c 0; ulimit -f 2048; exec \"$0\" \"$@\""
        let cut = try await runCommand(
            "/bin/sh",
            [
                "-c", script, program, "export", home.path("public"), "--public-url", "https://cdn.example", "--store",
                home.path("store"),
            ],
            home: home
        )
        #expect(cut.status != .exited(0))
        #expect(home.text("public/GBCloudBoxResourcesData/a.txt/1") == "one")
        #expect(home.text("public/status") != nil, "statuses come first")
        let (old, young) = (UUID().uuidString, UUID().uuidString)
        for id in [old, young] { try home.write("zz", to: "public/GBCloudBoxResourcesData/z.bin/.1.\(id)") }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -7200)],
            ofItemAtPath: home.path("public/GBCloudBoxResourcesData/z.bin/.1.\(old)"))
        try home.write("mine", to: "public/GBCloudBoxResourcesData/z.bin/.htaccess")
        let whole = try await export()
        #expect(whole.standardError == "")
        #expect(whole.standardOutput == "3 written, 4 unchanged, 0 removed\n")
        let hidden: Set<String> = try files().filter { $0.contains("/.") }
        #expect(
            hidden == [
                "GBCloudBoxResourcesData/z.bin/.htaccess", "GBCloudBoxResourcesData/z.bin/.1.\(young)",
            ])
        #expect(home.text("public/GBCloudBoxResourcesData/z.bin/1")?.utf8.count == 4 << 20)
    }

    @Test func lostBytesOfAResourceKeepNoKillBack() async throws {
        try await put("a.txt", "one")
        try await put("help.txt", "one")
        _ = try await export()
        let meta = home.text("public/GBCloudBoxResourcesMeta/help.txt")
        try await put("a.txt", "two")
        try await put("help.txt", "three")
        let lost = try #require(try store.snapshot().resources["help.txt"].flatMap { store.file(for: $0) })
        try FileManager.default.removeItem(at: lost)
        _ = try await store.publish(Publication(action: .kill, message: "Back at noon."), by: "ada")
        let dry = try await export("--dry-run")
        #expect(dry.status == .exited(74))
        #expect(dry.standardOutput == "4 would be written, 3 unchanged, 0 would be removed, 2 failed\n")
        let result = try await export()
        #expect(result.status == .exited(74))
        #expect(result.standardOutput == "4 written, 3 unchanged, 0 removed, 2 failed\n")
        #expect(result.standardError.contains("GBCloudBoxResourcesData/help.txt/2: the store does not have these bytes any more"))
        #expect(result.standardError.contains("the export is not complete; everything else is there"))
        #expect(home.text("public/status")?.contains("Back at noon.") == true)
        #expect(home.text("public/GBCloudBoxResourcesData/a.txt/2") == "two")
        #expect(home.text("public/GBCloudBoxResourcesMeta/a.txt")?.contains("a.txt/2") == true)
        // The document for the lost bytes is unchanged.
        #expect(home.text("public/GBCloudBoxResourcesMeta/help.txt") == meta)
        #expect(home.text("public/GBCloudBoxResourcesData/help.txt/1") == "one")
        try Data("three".utf8).write(to: lost)
        #expect(try await export().standardOutput == "2 written, 7 unchanged, 0 removed\n")
        #expect(home.text("public/GBCloudBoxResourcesMeta/help.txt")?.contains("help.txt/2") == true)
    }

    @Test("An export that waited for another one includes what was published meanwhile")
    func waitingExportIsCurrent() async throws {
        _ = try await export()
        #expect(!FileManager.default.fileExists(atPath: home.path("public/.bellerophon-export.lock")))
        let other = open(home.path("public/.bellerophon-export.lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(flock(other, LOCK_EX | LOCK_NB) == 0)
        let refused = try await export("--wait", "0")
        #expect(refused.status == .exited(75))
        #expect(refused.standardError.contains("another export to \(home.path("public")) is running"))
        let program = try RunningProgram(Products.path("bellerophon-server"), command, home: home)
        _ = try await onOwnThread { try program.wait(for: "waiting") { $0.contains("waiting for another export") ? true : nil } }
        _ = try await store.publish(Publication(action: .kill, message: "Back at noon."), by: "ada")
        close(other)
        let end = try await onOwnThread { try program.waitForEnd() }
        #expect(end == .exited(0))
        #expect(home.text("public/status")?.contains("Back at noon.") == true)
    }

    @Test("A manifest with a path outside the export folder removes nothing")
    func foreignManifestRemovesNothing() async throws {
        _ = try await export()
        let outside = try home.write("mine", to: "letter.txt")
        let manifest = try #require(home.text("public/bellerophon-export.json"))
        try home.write(
            manifest.replacing(#""path":"alive""#, with: #""path":"../letter.txt""#), to: "public/bellerophon-export.json")
        _ = try await export()
        #expect(FileManager.default.fileExists(atPath: outside))
    }
}

/// The manual describes the commands and flags that the program has, and no others.
@Suite("Manual of the server")
struct ServerManualTests {
    @Test func hasTheSyntaxOfEveryCommand() async throws {
        try await expectTheManualOf("bellerophon-server")
    }
}
