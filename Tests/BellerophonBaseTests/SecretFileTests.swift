import BellerophonBase
import Foundation
import TestSupport
import Testing

/// Files with secrets, which only their owner may read.
@Suite struct SecretFileTests {
    private func problem(_ path: String, _ readers: SecretFile.Readers) -> SecretFile.Problem? {
        do throws(SecretFile.Problem) {
            _ = try SecretFile.read(path, limit: 10, readers: readers)
            return nil
        } catch {
            return error
        }
    }

    @Test("The permissions of a link's target decide whether a secret file is accepted")
    func linkTargetIsChecked() throws {
        let folder = try TestFolder()
        let path = try folder.write("secret", to: "a")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: path)
        for readers in [SecretFile.Readers.owner, .groupOfRoot] {
            for (mode, isFit) in [(0o600, true), (0o400, true), (0o604, false), (0o620, false), (0o660, false)] {
                chmod(path, mode_t(mode))
                #expect(problem(folder.path("link"), readers) == (isFit ? nil : .exposed(mode: mode_t(mode))))
            }
        }
        #expect(problem(folder.url.path, .groupOfRoot) == .notFile)
        #expect(problem(folder.path("none"), .owner) == .system(ENOENT))
        chmod(try folder.write("eleven byte", to: "b"), 0o600)
        #expect(problem(folder.path("b"), .owner) == .tooLarge(limit: 10))
    }

    @Test(.enabled(if: getuid() == 0, "only root owns such files")) func rootMayLetAGroupReadSomeSecrets() throws {
        let folder = try TestFolder()
        let path = try folder.write("secret", to: "a")
        try #require(chown(path, 0, 12_345) == 0)
        chmod(path, 0o640)
        #expect(problem(path, .groupOfRoot) == nil)
        #expect(problem(path, .owner) == .exposed(mode: 0o640))
        try #require(chown(path, 12_345, 12_345) == 0)
        chmod(path, 0o600)
        #expect(problem(path, .groupOfRoot) == .foreign(owner: 12_345))
    }
}
