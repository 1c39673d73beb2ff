/// Addresses for people and logs.
package enum AddressText {
    /// An address without user name and password, also one with a mistake in it: without all that is before the last `@`.
    package static func withoutPassword(_ text: String) -> String {
        guard let end = text.lastIndex(of: "@") else { return text }
        let scheme = text.firstRange(of: "://").flatMap { $0.upperBound <= end ? text[..<$0.upperBound] : nil } ?? ""
        return "\(scheme)…\(text[end...])"
    }

    /// A message about an address without its password, and without the parts of it that were taken for something else, such as
    /// for a port.
    package static func message(_ message: String, about address: String) -> String {
        guard let end = address.lastIndex(of: "@"), let start = address.firstRange(of: "://")?.upperBound, start < end,
            let colon = address[start..<end].firstIndex(of: ":")
        else { return message }
        let password = address[address.index(after: colon)..<end]
        let parts = [password] + password.split { "/?#:@,".contains($0) }
        return parts.reduce(message) { text, part in
            part.count > 2 ? text.replacing(part, with: "…") : text.replacing("\"\(part)\"", with: "\"…\"")
        }
    }
}
