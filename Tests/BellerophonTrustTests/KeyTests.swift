import Bellerophon
import Foundation
import TestSupport
import Testing

@testable import BellerophonTrust

@Suite("Keys")
struct KeyTests {
    @Test("The key of RFC 8037 has the public key and thumbprint of the RFC")
    func rfc8037KeyMatches() throws {
        let key = try Sample.key()
        #expect(key.publicKey.text == Sample.publicKey)
        #expect(key.publicKey.id == Sample.thumbprint)
        #expect(try PublicKey(Sample.publicKey) == key.publicKey)
    }

    @Test("The signature of RFC 8037 verifies for its text and fails for a changed one")
    func rfc8037SignatureVerifies() throws {
        let signature = try #require(
            Base64URL.decode(Array("hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg".utf8))
        )
        let text = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"
        let key = try PublicKey(Sample.publicKey)
        #expect(key.signed(Data(text.utf8), signature))
        #expect(!key.signed(Data((text + "A").utf8), signature))
    }

    @Test("A new key reads back from its JWK and differs from every other key")
    func newKeyRoundTrips() throws {
        let (one, other) = (try SigningKey.generate(), try SigningKey.generate())
        #expect(try SigningKey(jwk: one.jwk).publicKey == one.publicKey)
        #expect(one.publicKey != other.publicKey)
        #expect(one.publicKey.text.utf8.count == 43)
    }

    @Test func aKeyShowsNoSecretHoweverItIsPrinted() throws {
        let key = try Sample.key()
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped, "\([key])"] {
            #expect(!text.contains(Sample.privateKey))
            #expect(text.contains(Sample.thumbprint))
        }
    }

    @Test(
        "A JWK that is not an Ed25519 private key is refused with the reason",
        arguments: [
            ("", "it is no JSON object"),
            ("[]", "it is no JSON object"),
            (
                #"{"kty":"EC","crv":"P-256","x":"a","d":"b"}"#,
                "it is of another kind: expected \"kty\":\"OKP\" and \"crv\":\"Ed25519\""
            ),
            (
                #"{"kty":"OKP","crv":"X25519","x":"a","d":"b"}"#,
                "it is of another kind: expected \"kty\":\"OKP\" and \"crv\":\"Ed25519\""
            ),
            (#"{"kty":"OKP","crv":"Ed25519","x":"\#(Sample.publicKey)"}"#, "it is a public key: \"d\" is missing"),
            (
                #"{"kty":"OKP","crv":"Ed25519","x":"\#(Sample.publicKey)","d":"AA"}"#,
                "\"d\" is not a key of 32 bytes in base64url"
            ),
            (#"{"kty":"OKP","crv":"Ed25519","x":"\#(Sample.publicKey)","d":7}"#, "\"d\" is not a key of 32 bytes in base64url"),
            (#"{"kty":"OKP","crv":"Ed25519","d":"\#(Sample.privateKey)"}"#, "\"x\" is not the public key of \"d\""),
            (
                #"{"kty":"OKP","crv":"Ed25519","x":"\#(Sample.privateKey)","d":"\#(Sample.privateKey)"}"#,
                "\"x\" is not the public key of \"d\""
            ),
            (
                #"{"kty":"OKP","crv":"Ed25519","x":"\#(Sample.publicKey)","d":"\#(Sample.privateKey)","\u0064":"AA"}"#,
                "\"d\" stands twice"
            ),
        ])
    func invalidPrivateKeyIsRefused(text: String, reason: String) {
        #expect(throws: SigningKeyError.notKey(reason)) { try SigningKey(jwk: Data(text.utf8)) }
    }

    @Test(arguments: [
        "", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHUR", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURoA",
        "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURp",
    ])
    func aTextThatIsNoPublicKeyIsRefusedByName(text: String) {
        #expect(throws: TrustedKeysError.notKey(text)) { try TrustedKeys([Sample.publicKey, text]) }
    }

    @Test func aProblemDrawsNoControlCharacters() {
        #expect(throws: TrustedKeysError.notKey("␛[2J")) { try TrustedKeys(["\u{1B}[2J"]) }
    }

    @Test("A weak public key is refused in every encoding")
    func weakKeyIsRefused() throws {
        var spellings: [[UInt8]] = []
        for first in [UInt8(0), 1] { spellings.append([first] + [UInt8](repeating: 0, count: 31)) }
        for first in [UInt8(0xEC), 0xED, 0xEE] { spellings.append([first] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]) }
        let eights = ["JuiVj8KyJ7BFw_SJ8u-Y8NXfrAXTxjM5sTgCiG1T_AU", "xxdqcD1N2E-6PAt2DRBnDyogU_osOczGTsf9d5KsA3o"]
        spellings += eights.map { Array(Base64URL.decode(Array($0.utf8)) ?? Data()) }
        for spelling in spellings {
            for sign in [UInt8(0), 0x80] {
                let text = Base64URL.encode(spelling.dropLast() + [spelling[31] | sign])
                #expect(throws: TrustedKeysError.weakKey(text)) { try PublicKey(text) }
            }
        }
        #expect(throws: TrustedKeysError.weakKey(String(repeating: "A", count: 43))) {
            try PublicKey(String(repeating: "A", count: 43))
        }
    }

    @Test("Trusted keys need at least one key and an audience with an app and a channel")
    func keysNeedKeyAndAudience() throws {
        #expect(throws: TrustedKeysError.noKeys) { try TrustedKeys([]) }
        for audience in ["", "default", "/main", "default/", "a/b/c"] {
            #expect(throws: TrustedKeysError.noAudience(audience)) { try TrustedKeys([Sample.publicKey], audience: audience) }
        }
        #expect(try TrustedKeys([Sample.publicKey, Sample.publicKey]).keys.map(\.id) == [Sample.thumbprint])
    }
}

@Suite("A signing key's file")
struct KeyFileTests {
    private func problem(_ file: URL) -> SigningKeyError? {
        do throws(SigningKeyError) {
            _ = try SigningKey.read(file: file)
            return nil
        } catch {
            return error
        }
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("A new key file is readable by its owner only and reads back as the same key")
    func newKeyFileIsPrivate() throws {
        let folder = try TestFolder()
        let file = folder.url.appendingPathComponent("a key 🔑.jwk")
        let key = try SigningKey.generate()
        try key.write(newFile: file)
        #expect(try mode(file.path) == 0o600)
        #expect(try SigningKey.read(file: file).publicKey == key.publicKey)
    }

    @Test("A key file is never overwritten, and no key is written through a link")
    func keyFileIsNeverOverwritten() throws {
        let folder = try TestFolder()
        let path = try folder.write("mine", to: "key")
        let link = folder.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path("target"))
        for place in [path, link] {
            #expect(throws: SigningKeyError.exists(place)) {
                try SigningKey.generate().write(newFile: URL(fileURLWithPath: place))
            }
        }
        #expect(folder.text("key") == "mine")
        #expect(folder.text("target") == nil)
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.url.path)) == ["key", "link"])
    }

    @Test("Of several concurrent writers of a key file one succeeds, and readers see a complete key")
    func concurrentKeysAreAtomic() async throws {
        let folder = try TestFolder()
        for round in 0..<20 {
            let file = folder.url.appendingPathComponent("key\(round)")
            // On separate threads, so that all run at once even if the shared pool is small.
            async let seen = onOwnThread {
                let deadline = ContinuousClock.now + patience
                var found = problem(file)
                while found == .system("read", file.path, ENOENT), ContinuousClock.now < deadline { found = problem(file) }
                return found
            }
            let made = try await withThrowingTaskGroup(of: PublicKey?.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        try await onOwnThread {
                            let key = try SigningKey.generate()
                            return (try? key.write(newFile: file)) == nil ? nil : key.publicKey
                        }
                    }
                }
                return try await group.reduce(into: [PublicKey]()) { made, key in if let key { made.append(key) } }
            }
            #expect(try await seen == nil)
            #expect(try made == [SigningKey.read(file: file).publicKey])
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(Set(names) == Set((0..<20).map { "key\($0)" }))
    }

    @Test("A missing folder is reported and nothing is written")
    func missingFolderIsReported() throws {
        let folder = try TestFolder()
        let file = folder.url.appendingPathComponent("none/key")
        #expect(throws: SigningKeyError.system("write", file.path, ENOENT)) { try SigningKey.generate().write(newFile: file) }
        #expect(problem(file) == .system("read", file.path, ENOENT))
        #expect(problem(file)?.description == "can't read \(file.path): No such file or directory")
    }

    @Test(
        "A key file that others can read or change is refused with instructions",
        arguments: [0o640, 0o604, 0o620, 0o602, 0o644, 0o666, 0o777])
    func exposedKeyFileIsRefused(mode: Int) throws {
        let folder = try TestFolder()
        let path = folder.path("key")
        try Data(Sample.jwk).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let found = problem(URL(fileURLWithPath: path))
        // Root's group may read root's files, which is how systemd provides credentials.
        if mode == 0o640, getuid() == 0 { return #expect(found == nil) }
        #expect(found == .exposed(path, mode: mode_t(mode)))
        #expect(found?.description.contains("(mode \(String(mode, radix: 8))); run chmod 600 on it") == true)
    }

    @Test(.enabled(if: getuid() == 0, "only root can give a file away"))
    func oneOfAnotherUserIsRefused() throws {
        let folder = try TestFolder()
        let path = folder.path("key")
        try Sample.key().write(newFile: URL(fileURLWithPath: path))
        try #require(chown(path, 12_345, 12_345) == 0)
        #expect(problem(URL(fileURLWithPath: path)) == .foreign(path, owner: 12_345))
    }

    @Test("A folder, a pipe and a device are refused as key files without blocking")
    func specialFileIsNotAKey() throws {
        let folder = try TestFolder()
        try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
        for path in [folder.url.path, folder.path("pipe"), "/dev/null"] {
            #expect(problem(URL(fileURLWithPath: path)) == .notFile(path))
        }
    }

    @Test("A damaged key file is reported with the reason, and an oversized one is not read")
    func damagedKeyFileIsReported() throws {
        let folder = try TestFolder()
        for (text, reason) in [
            ("", "it is no JSON object"), (String(repeating: " ", count: 20_000), "it has more than 16384 bytes"),
        ] {
            let path = try folder.write(text, to: "key")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            #expect(problem(URL(fileURLWithPath: path)) == .unfit(path, reason))
        }
    }
}
