import TerminalUI

/// The modifiers of a key, in the bits of xterm and of kitty's keyboard protocol.
struct KeyModifiers: OptionSet, Sendable {
    let rawValue: Int

    static let shift = KeyModifiers(rawValue: 1)
    static let control = KeyModifiers(rawValue: 4)
    static let capsLock = KeyModifiers(rawValue: 64)
    static let numLock = KeyModifiers(rawValue: 128)
    /// Alt, Super, Hyper and Meta.
    static let foreign = KeyModifiers(rawValue: 2 | 8 | 16 | 32)
}

extension ControlSequence {
    /// The modifiers of a key, without the locks.
    var modifiers: KeyModifiers { lockedModifiers.subtracting([.capsLock, .numLock]) }

    /// The parameter is one more than the bits.
    var lockedModifiers: KeyModifiers { KeyModifiers(rawValue: max(0, (self[1] ?? 1) - 1) & 0xFF) }

    /// Whether the key was pressed or repeats; false for its release.
    var isPress: Bool { self[1, 1] != 3 }
}

extension KeyParser {
    /// kitty's keyboard protocol: `code:shifted:base ; modifiers:event ; text u`.
    static func extended(_ sequence: ControlSequence) -> Key? {
        guard sequence.isPress, let code = sequence[0] else { return nil }
        let text = sequence.group(2).compactMap(\.self)
        return key(
            code: code, sequence.lockedModifiers, shifted: sequence[0, 1], text: text.count == 1 ? text.first : nil
        )
    }

    /// xterm's modifyOtherKeys: `27 ; modifiers ; code ~`. The code is the one of the shifted character.
    static func otherKey(_ sequence: ControlSequence) -> Key? {
        sequence[2].flatMap { key(code: $0, sequence.lockedModifiers, shifted: $0, text: nil) }
    }

    /// The key of a code and its modifiers.
    /// - Parameters:
    ///   - shifted: the code point with Shift, where it is known.
    ///   - text: the code point that the key types, where it is known.
    private static func key(code: Int, _ modifiers: KeyModifiers, shifted: Int?, text: Int?) -> Key? {
        guard modifiers.isDisjoint(with: .foreign) else { return nil }
        if let key = functional[code] { return modifiers.subtracting([.capsLock, .numLock]).isEmpty ? key : nil }
        if modifiers.contains(.control) { return key(controlWith: code) }
        switch code {
        case 9 where modifiers.contains(.shift): return .backTab
        case 0...0x1F, 0x7F: return key(codePoint: code)
        default: break
        }
        if let text { return key(codePoint: text) }
        let isShifted = modifiers.contains(.shift) != (modifiers.contains(.capsLock) && isLetter(code))
        guard isShifted else { return key(codePoint: code) }
        // Without the shifted code only letters are known: the others depend on the keyboard.
        if modifiers.contains(.shift), let shifted { return key(codePoint: shifted) }
        return isLetter(code) ? key(codePoint: code & ~0x20) : nil
    }

    /// The key of Control with a character, by the table of the traditional encoding.
    private static func key(controlWith code: Int) -> Key? {
        switch code {
        case 0x40...0x5F, 0x61...0x7A: key(codePoint: code & 0x1F)
        case 0x3F: .backspace
        // Enter, Tab, Escape and Backspace are control characters already.
        case 0...0x1F, 0x7F: key(codePoint: code)
        default: nil
        }
    }

    private static func isLetter(_ code: Int) -> Bool { (0x41...0x5A).contains(code) || (0x61...0x7A).contains(code) }

    /// Keys without a character in kitty's protocol ("Functional key definitions").
    private static let functional: [Int: Key] = {
        var keys: [Int: Key] = [
            57414: .enter, 57417: .left, 57418: .right, 57419: .up, 57420: .down, 57421: .pageUp, 57422: .pageDown,
            57423: .home, 57424: .end, 57425: .insert, 57426: .delete,
        ]
        for (index, character) in "0123456789./*-+".enumerated() { keys[57399 + index] = .character(character) }
        keys[57415] = .character("=")
        keys[57416] = .character(",")
        for number in 13...35 { keys[57363 + number] = .function(number) }
        return keys
    }()

    // MARK: Windows

    /// Windows' win32-input-mode: `virtual key ; scan code ; UTF-16 unit ; is down ; control keys ; repetitions _`.
    static func windows(_ sequence: ControlSequence) -> Key? {
        guard sequence[3] ?? 0 != 0 else { return nil }
        let unit = sequence[2] ?? 0, virtualKey = sequence[0] ?? 0, state = sequence[4] ?? 0
        let hasAlt = state & 0b0011 != 0, hasControl = state & 0b1100 != 0, hasShift = state & 0x10 != 0
        // AltGr is both, and types a character.
        if hasAlt, !(hasControl && unit >= 0x20) { return nil }
        if let key = virtualKeys[virtualKey] { return hasAlt || hasControl || hasShift ? nil : key }
        if virtualKey == 9, hasShift { return .backTab }
        if unit == 0 { return hasControl && (0x41...0x5A).contains(virtualKey) ? key(codePoint: virtualKey & 0x1F) : nil }
        return key(codePoint: unit)
    }

    private static let virtualKeys: [Int: Key] = {
        var keys: [Int: Key] = [
            0x21: .pageUp, 0x22: .pageDown, 0x23: .end, 0x24: .home, 0x25: .left, 0x26: .up, 0x27: .right, 0x28: .down,
            0x2D: .insert, 0x2E: .delete,
        ]
        for number in 1...24 { keys[0x6F + number] = .function(number) }
        return keys
    }()
}
