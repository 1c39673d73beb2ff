import TerminalUI

/// The number of colours of a terminal.
public enum ColorDepth: Int, Comparable, Sendable, CaseIterable {
    /// Attributes only: bold, dim, underline, reverse.
    case mono
    /// Eight colours.
    case eight
    /// Sixteen colours.
    case sixteen
    /// The 256 indexed colours of xterm.
    case indexed
    /// Direct colours: red, green and blue components.
    case direct

    /// Whether the left depth has fewer colours.
    public static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }

    /// The depth of a terminal with this number of colours.
    /// - Parameter isDirect: whether its colour numbers are red, green and blue components.
    init(colors: Int, isDirect: Bool = false) {
        self =
            switch colors {
            case ..<8: .mono
            case ..<16: .eight
            case ..<256: .sixteen
            default: isDirect ? .direct : .indexed
            }
    }

    /// Whether the environment turns colours off: `NO_COLOR` is present and not empty (https://no-color.org).
    static func isRefused(in environment: [String: String]) -> Bool {
        environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    }

    /// The terminal's number of a colour; nil for the terminal's default.
    func number(of color: Color) -> Int? {
        switch (self, color) {
        case (.mono, _), (_, .terminal): nil
        case (.eight, .ansi(let index)): Int(index % 8)
        case (_, .ansi(let index)) where self != .direct || index < 8: Int(index % 16)
        case (_, .ansi(let index)): packed(RGB.bright[Int(index % 16) - 8])
        case (.eight, .rgb(let red, let green, let blue)): RGB(red, green, blue).nearestOfEight
        case (.sixteen, .rgb(let red, let green, let blue)): RGB(red, green, blue).nearestOfSixteen
        case (.indexed, .rgb(let red, let green, let blue)): RGB(red, green, blue).nearestOf256
        case (.direct, .rgb(let red, let green, let blue)): packed(RGB(red, green, blue))
        }
    }

    /// The number of a direct colour. The numbers 1…7 are the named colours, so the darkest blues become 8.
    private func packed(_ color: RGB) -> Int {
        let number = color.red << 16 | color.green << 8 | color.blue
        return (1..<8).contains(number) ? 8 : number
    }
}

/// A colour by its components, 0…255, with the nearest colours of the smaller palettes.
struct RGB: Equatable {
    let red: Int, green: Int, blue: Int

    init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = Int(red)
        self.green = Int(green)
        self.blue = Int(blue)
    }

    /// The bright colours of xterm's sixteen.
    static let bright = [
        RGB(127, 127, 127), RGB(255, 0, 0), RGB(0, 255, 0), RGB(255, 255, 0),
        RGB(92, 92, 255), RGB(255, 0, 255), RGB(0, 255, 255), RGB(255, 255, 255),
    ]

    private var highest: Int { max(red, green, blue) }
    private var spread: Int { highest - min(red, green, blue) }
    /// Whether the saturation is too low for a perceptible hue.
    private var isGrey: Bool { spread * 6 < highest || highest < 32 }

    /// The named colour of the hue, 1…6. Azure is mapped to cyan, because blue is hard to read on black.
    private var named: Int {
        switch hue {
        case 20..<75: 3
        case 75..<150: 2
        case 150..<225: 6
        case 225..<250: 4
        case 250..<330: 5
        default: 1
        }
    }

    /// The hue in degrees, 0..<360.
    private var hue: Double {
        let width = Double(spread)
        let sector =
            if highest == red {
                Double(green - blue) / width
            } else if highest == green {
                Double(blue - red) / width + 2
            } else {
                Double(red - green) / width + 4
            }
        return (sector * 60 + 360).truncatingRemainder(dividingBy: 360)
    }

    /// The nearest of black, six named colours and white.
    var nearestOfEight: Int {
        isGrey ? (highest < 64 ? 0 : 7) : named
    }

    /// The nearest of the eight colours and their bright forms.
    var nearestOfSixteen: Int {
        guard isGrey else { return highest >= 200 ? named + 8 : named }
        return switch highest {
        case ..<64: 0
        case ..<160: 8
        case ..<224: 7
        default: 15
        }
    }

    /// The nearest colour of xterm's 6×6×6 cube (16…231) and its grey ramp (232…255).
    var nearestOf256: Int {
        let steps = [0, 95, 135, 175, 215, 255]
        func step(_ value: Int) -> Int {
            value < 48 ? 0 : value < 115 ? 1 : min(5, (value - 35) / 40)
        }
        let cube = [step(red), step(green), step(blue)]
        let grey = min(23, max(0, ((red + green + blue) / 3 - 3) / 10))
        let level = 8 + grey * 10
        let ofCube = distance(to: cube.map { steps[$0] })
        return distance(to: [level, level, level]) < ofCube
            ? 232 + grey
            : 16 + 36 * cube[0] + 6 * cube[1] + cube[2]
    }

    private func distance(to other: [Int]) -> Int {
        zip([red, green, blue], other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
}
