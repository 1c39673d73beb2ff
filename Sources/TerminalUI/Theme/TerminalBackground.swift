/// Whether a terminal's background is dark or light, by what the terminal or its environment says.
package enum TerminalBackground: Equatable, Sendable {
    /// Text on it must be light.
    case dark
    /// Text on it must be dark.
    case light

    /// The theme for the background.
    package var theme: ColorTheme { self == .dark ? .dark : .light }

    /// The query for the background's colour (OSC 11; XTerm Control Sequences, "Operating System Commands").
    package static let query = "\u{1B}]11;?\u{1B}\\"

    /// By the reply to ``query`` without its beginning `ESC ] 11 ;` and its end; nil if it states no colour.
    ///
    /// The reply is `rgb:RRRR/GGGG/BBBB`, with one to four hexadecimal digits for each component (XParseColor). Some terminals
    /// send `rgba:` with a fourth component.
    package init?(reply: String) {
        let parts = reply.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "rgb" || parts[0] == "rgba" else { return nil }
        let components = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard components.count == (parts[0] == "rgb" ? 3 : 4) else { return nil }
        var values: [Double] = []
        for digits in components {
            guard (1...4).contains(digits.count), digits.allSatisfy(\.isHexDigit), let value = Int(digits, radix: 16)
            else { return nil }
            values.append(Double(value) / Double(1 << (4 * digits.count) - 1))
        }
        // The luma of Rec. ITU-R BT.601, which is close to the lightness that a person perceives.
        self = 0.299 * values[0] + 0.587 * values[1] + 0.114 * values[2] > 0.5 ? .light : .dark
    }

    /// By the variable `COLORFGBG` of the environment, which rxvt, konsole and others set: `15;0`, or `15;default;0`. Its last
    /// field is the number of the background's colour; 7 and 9 to 15 are light ones. Nil if the variable states no number.
    package init?(environment: [String: String]) {
        guard let fields = environment["COLORFGBG"]?.split(separator: ";"), fields.count >= 2,
            let number = fields.last.flatMap({ Int($0) }), (0...15).contains(number)
        else { return nil }
        self = number == 7 || number >= 9 ? .light : .dark
    }
}
