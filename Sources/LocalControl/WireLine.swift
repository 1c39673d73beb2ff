import BellerophonBase

/// A value as a line of JSON, with sorted keys and without characters that act on a terminal.
package enum WireLine {
    package static func text(_ value: some Encodable) -> String {
        JSONText.sanitized(encoding: value) ?? #"{"ok":false,"error":"the reply can't be written"}"#
    }
}
