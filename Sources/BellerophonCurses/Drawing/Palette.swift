import CNcurses
import TerminalUI

/// The colour pairs for frames on one ncurses screen, created on demand.
@MainActor
final class Palette {
    private(set) var look: TerminalLook
    /// The highest colour depth that the terminal and the options allow.
    private let depth: ColorDepth
    /// Whether a pair may use the terminal's default colours.
    private let hasTerminalColors: Bool
    private var pairs: [Colors: Int32] = [:]
    private var next: Int32 = 1
    private let end: Int32

    private struct Colors: Hashable {
        var foreground: Int32
        var background: Int32
    }

    init(_ settings: LookSettings) {
        let available = Self.availableDepth
        depth = min(available, settings.color ?? available)
        look = TerminalLook(depth: depth, theme: settings.theme, glyphs: settings.glyphs)
        var foreground: Int32 = 0, background: Int32 = 0
        _ = cncurses_pair_content(0, &foreground, &background)
        hasTerminalColors = foreground < 0
        end = max(1, cncurses_color_pairs())
    }

    /// The number of colours of the open screen.
    static var availableDepth: ColorDepth {
        has_colors() ? ColorDepth(colors: Int(cncurses_colors()), isDirect: cncurses_has_direct_color()) : .mono
    }

    /// Takes the colours of roles and the characters of drawings from other settings from now on.
    func use(_ settings: LookSettings) {
        look = TerminalLook(depth: depth, theme: settings.theme, glyphs: settings.glyphs)
    }

    /// The colour pair of a resolved style; 0, the terminal's default, if no more pairs can be created.
    func pair(for paint: ResolvedStyle) -> Int32 {
        if paint.foreground == nil, paint.background == nil { return 0 }
        let colors = Colors(
            foreground: Int32(paint.foreground ?? (hasTerminalColors ? -1 : 7)),
            background: Int32(paint.background ?? (hasTerminalColors ? -1 : 0))
        )
        if let pair = pairs[colors] { return pair }
        guard next < end, cncurses_init_pair(next, colors.foreground, colors.background) == OK else { return 0 }
        defer { next += 1 }
        pairs[colors] = next
        return next
    }

    /// The attribute bits of a resolved style.
    func attributes(of paint: ResolvedStyle) -> attr_t {
        var bits: attr_t = 0
        if paint.attributes.contains(.bold) { bits |= cncurses_a_bold() }
        if paint.attributes.contains(.dim) { bits |= cncurses_a_dim() }
        if paint.attributes.contains(.underline) { bits |= cncurses_a_underline() }
        if paint.attributes.contains(.reverse) { bits |= cncurses_a_reverse() }
        if paint.attributes.contains(.italic) { bits |= cncurses_a_italic() }
        return bits
    }
}
