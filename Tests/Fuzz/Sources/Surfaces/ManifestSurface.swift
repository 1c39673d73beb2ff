import Foundation

@testable import CloudBox

/// A resource's manifest leads only to a web address.
enum ManifestSurface {
    static func verify(_ input: [UInt8]) throws(Violation) {
        guard let base = URL(string: "https://source.example/GBCloudBoxResourcesMeta/help.txt") else { return }
        switch ResourceMeta.read(Data(input), from: base) {
        case .failure(let problem): try require(!problem.text.isEmpty, "it is refused without a reason")
        case .success(let meta): try verify(meta, base)
        }
    }

    private static func verify(_ meta: ResourceMeta, _ base: URL) throws(Violation) {
        let address = meta.url.absoluteString
        try require(meta.url.scheme?.lowercased() == "https", "from https it leads to \(meta.url.scheme ?? "nowhere")")
        try require(address.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "the address holds more than printable ASCII")
        try require(!(meta.url.host ?? "").isEmpty && !(meta.url.host ?? "").contains("%"), "the host is unusable")
        try require(meta.size ?? 0 >= 0, "the size is below 0")
        var fields: [String: Any] = ["v": meta.version, "url": address]
        fields["md5"] = meta.md5?.hex
        fields["sha256"] = meta.sha256?.hex
        fields["size"] = meta.size
        guard let json = try? JSONSerialization.data(withJSONObject: fields),
            case .success(let again) = ResourceMeta.read(json, from: base)
        else { throw Violation("what was read can't be read again: \(fields)") }
        try require(again == meta, "what was read is read as something else: \(fields)")
    }
}
