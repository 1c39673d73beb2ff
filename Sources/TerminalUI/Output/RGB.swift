/// A colour by its components, 0…255, with the nearest colours of the smaller palettes.
package struct RGB: Equatable, Sendable {
    package let red: Int, green: Int, blue: Int

    package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = Int(red)
        self.green = Int(green)
        self.blue = Int(blue)
    }

    /// The bright colours of xterm's sixteen.
    package static let bright = [
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
    package var nearestOfEight: Int {
        isGrey ? (highest < 64 ? 0 : 7) : named
    }

    /// The nearest of the eight colours and their bright forms.
    package var nearestOfSixteen: Int {
        guard isGrey else { return highest >= 200 ? named + 8 : named }
        return switch highest {
        case ..<64: 0
        case ..<160: 8
        case ..<224: 7
        default: 15
        }
    }

    /// The nearest colour of xterm's 6×6×6 cube (16…231) and its grey ramp (232…255).
    package var nearestOf256: Int {
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
