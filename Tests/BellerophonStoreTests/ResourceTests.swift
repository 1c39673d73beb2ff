import BellerophonStore
import CloudBox
import Foundation
import TestSupport
import Testing

@Suite("Resources of a store", .onEveryEngine)
struct ResourceTests {
    private let test: StoreUnderTest

    init() async throws { test = try await StoreUnderTest() }

    @Test func aResourceIsItsBytesAndItsDigests() async throws {
        let put = try await test.put("help.txt", "hello\n")
        #expect(put.isNew)
        let resource = put.resource
        #expect(resource.version == 1)
        #expect(resource.size == 6)
        #expect(resource.md5 == "b1946ac92492d2347c6235b4d2611184")
        #expect(resource.sha256 == "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03")
        let file = try #require(test.store.file(for: resource))
        #expect(try Data(contentsOf: file) == Data("hello\n".utf8))
        #expect(
            String(decoding: resource.meta(url: "/d/help.txt/1"), as: UTF8.self)
                == #"{"v":1,"md5":"b1946ac92492d2347c6235b4d2611184","sha256":"5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03","size":6,"url":"/d/help.txt/1"}"#
        )
        #expect(try test.reopened().resources() == [resource])
        let row = try #require(try test.store.journal().first)
        #expect(row.action == "resource" && row.resource == "help.txt" && row.version == 1)
        #expect(try test.files("incoming").isEmpty)
    }

    @Test("Identical bytes are stored once and publish no new version")
    func sameBytesAreStoredOnce() async throws {
        try await test.put("a", "same")
        try await test.put("b", "same")
        #expect(try test.files("content").count == 1)
        let again = try await test.put("a", "same")
        #expect(!again.isNew)
        #expect(again.resource.version == 1)
        #expect(try test.store.journal().count == 2)
        let forced = try await test.put("a", "same", version: 7)
        #expect(forced.isNew && forced.resource.version == 7)
    }

    @Test func aVersionMustGrow() async throws {
        try await test.put("a", "one", version: 5)
        let error = await storeError { try await test.put("a", "two", version: 5) }
        #expect(error?.kind == .conflict)
        #expect(error?.message == "version 5 is not above the newest, which is 5")
        #expect(try await test.put("a", "two").resource.version == 6)
        #expect(await storeError { try await test.put("a", "x", version: 1 << 53) }?.kind == .invalid)
        #expect(await storeError { try await test.put("b", "x", version: 0) }?.kind == .invalid)
    }

    @Test("An upload whose bytes do not match the expected digest is refused")
    func digestMismatchIsRefused() async throws {
        let other = try #require(Digest(.sha256, of: Data("other".utf8)))
        let error = await storeError { try await test.store.put("a", "hello", expected: [other]) }
        #expect(error?.kind == .digestMismatch)
        #expect(error?.message.contains(other.hex) == true)
        #expect(try test.store.resources().isEmpty)
        #expect(try test.files("content").isEmpty)
        #expect(try test.files("incoming").isEmpty)
        let right = try #require(Digest(.md5, of: Data("hello".utf8)))
        #expect(try await test.store.put("a", "hello", expected: [right]).isNew)
    }

    @Test func aNameThatCouldLeaveTheFolderIsRefused() async throws {
        for name in ["", "..", "../a", "a/b", ".hidden", "-a", "a b", "é", String(repeating: "a", count: 129), "a\u{0}"] {
            #expect(await storeError { try await test.put(name, "x") }?.kind == .invalid)
            #expect(
                await storeError {
                    try await test.store.putExternal(name, ExternalResource(url: "https://a.example/"), by: "ada")
                }?
                .kind == .invalid)
        }
    }

    @Test func aPutInPiecesIsSeenWhenItIsWhole() async throws {
        let incoming = try test.store.receive()
        for piece in ["a", "bc", "", "d"] { try incoming.write(Data(piece.utf8)) }
        #expect(incoming.size == 4)
        #expect(try test.store.previewResource("x", .content(incoming)).resource.size == 4)
        #expect(try test.store.resources().isEmpty)
        let put = try await test.store.putResource("x", .content(incoming), by: "ada")
        #expect(put.resource.sha256 == Digest(.sha256, of: Data("abcd".utf8))?.hex)
        #expect(throws: StoreError.self) { try incoming.write(Data("e".utf8)) }
    }

    @Test func anAbandonedPutLeavesNothing() async throws {
        do {
            let incoming = try test.store.receive()
            try incoming.write(Data("half".utf8))
            #expect(try test.files("incoming").count == 1)
        }
        #expect(try test.files("incoming").isEmpty)
    }

    @Test func anEmptyFileIsAResource() async throws {
        let put = try await test.put("empty", "")
        #expect(put.resource.size == 0)
        #expect(put.resource.md5 == "d41d8cd98f00b204e9800998ecf8427e")
    }

    @Test("A rollback publishes old bytes under a higher version")
    func rollbackRaisesVersion() async throws {
        let first = try await test.put("a", "one").resource
        try await test.put("a", "two")
        let back = try await test.store.rollback("a", by: "ada", reason: "typo")
        #expect(back.version == 3)
        #expect(back.fromVersion == 1)
        #expect(back.sha256 == first.sha256)
        #expect(back.reason == "typo")
        #expect(try test.store.journal().first?.action == "rollback")
        #expect(try await test.store.rollback("a", to: 2, by: "ada").version == 4)
        #expect(try test.store.versions(of: "a").map(\.version) == [4, 3, 2, 1])
        #expect(try test.store.resource("a", version: 1) == first)
        #expect(try test.files("content").count == 2)
    }

    @Test("A rollback skips versions with the same bytes")
    func rollbackSkipsSameBytes() async throws {
        try await test.put("a", "one")
        try await test.put("a", "two")
        try await test.put("a", "two", version: 5)
        #expect(try await test.store.rollback("a", by: "ada").fromVersion == 1)
        try await test.put("b", "same")
        try await test.put("b", "same", version: 2)
        let error = await storeError { try await test.store.rollback("b", by: "ada") }
        #expect(error?.message == "b has the same bytes in every version; there is nothing to go back to")
    }

    @Test func aRollbackThatCanNotBeSaysWhy() async throws {
        try await test.put("a", "one")
        #expect(await storeError { try await test.store.rollback("b", by: "ada") }?.message == "there is no resource \"b\"")
        #expect(
            await storeError { try await test.store.rollback("a", by: "ada") }?.message
                == "a has one version only; there is nothing to go back to")
        #expect(await storeError { try await test.store.rollback("a", to: 1, by: "ada") }?.kind == .conflict)
        let error = await storeError { try await test.store.rollback("a", to: 9, by: "ada") }
        #expect(error?.description == "a has no version 9 (it has 1)")
    }

    @Test func anExternalResourceNamesItsAddress() async throws {
        let external = try ExternalResource(json: Data(#"{"v":3,"url":"https://a.example/x","size":5}"#.utf8))
        let put = try await test.store.putExternal("x", external, by: "ada")
        #expect(
            String(decoding: put.resource.meta(url: "ignored"), as: UTF8.self) == #"{"v":3,"size":5,"url":"https://a.example/x"}"#
        )
        #expect(test.store.file(for: put.resource) == nil)
        #expect(try ExternalResource(json: external.json) == external)
        #expect(
            try await test.store.putExternal("x", ExternalResource(url: "https://a.example/x", size: 5), by: "ada").isNew == false
        )
    }

    @Test func aFileThatIsGoneIsNamedAtRollback() async throws {
        let first = try await test.put("a", "one").resource
        try await test.put("a", "two")
        let file = try #require(test.store.file(for: first))
        try FileManager.default.removeItem(at: file)
        #expect(await storeError { try await test.store.rollback("a", by: "ada") }?.kind == .damaged)
        // Another put of the same bytes repairs the resource.
        try await test.put("b", "one")
        #expect(try await test.store.rollback("a", to: 1, by: "ada").version == 3)
    }
}

/// A resource elsewhere, without a store.
struct ExternalResourceTests {
    @Test(arguments: [
        (#"{"url":"ftp://a.example"}"#, "url is not an http or https address"), (#"{"v":3}"#, "the field \"url\" is missing"),
        (#"{"url":"https://a.example","md5":"zz"}"#, "md5 must be 32 hexadecimal digits"),
        (#"{"url":"https://a.example","v":1.5}"#, "v must be a whole number, found 1.5"),
        (#"{"url":"https://a.example","v":1e300}"#, "v must be a whole number, found 1e+300"),
        (#"{"url":"https://a.example","hash":"x"}"#, "the field \"hash\" is not known"),
        (#"{"url":"https://a.example","size":-1}"#, "size must be at least 0"),
    ])
    func aWrongExternalResourceIsRefused(body: String, message: String) async {
        #expect(await storeError { try ExternalResource(json: Data(body.utf8)) }?.message == message)
    }
}
