extension ShadowTerminal {
    /// Acts on a string: OSC, DCS, APC, PM or SOS.
    mutating func performString(_ bytes: UnsafeBufferPointer<UInt8>) -> ShadowEffect {
        // Controls may be between ESC and the introducer. The rest is ESC, the introducer, the body and the terminator.
        let start = bytes.dropFirst().firstIndex { (0x20..<0x7F).contains($0) } ?? bytes.count
        for byte in bytes[..<start] where byte < 0x20 { control(byte) }
        guard start < bytes.count else { return .nothing }
        let rest = bytes[(start + 1)...]
        let body = rest.dropLast(rest.last == 0x07 ? 1 : rest.suffix(2).elementsEqual([0x1B, 0x5C]) ? 2 : 0)
        switch bytes[start] {
        case UInt8(ascii: "]"): return performCommand(body)
        case UInt8(ascii: "P"): return performDeviceControl(body)
        case UInt8(ascii: "_"):
            if body.first == UInt8(ascii: "G") { loseCells() }
            return .outside
        default: return .outside
        }
    }

    private mutating func performCommand(_ body: Slice<UnsafeBufferPointer<UInt8>>) -> ShadowEffect {
        let fields = body.split(separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
        let number = fields.first.map {
            $0.reduce(0) { ($1 >= 0x30 && $1 <= 0x39) ? min($0 * 10 + Int($1 - 0x30), 99999) : 99999 }
        }
        switch number {
        case 8?:
            setLink(fields.count > 1 ? Array(fields[1]) : [])
            return .screen
        case 1337?:
            loseCells()
            return .outside
        default: return body.count > 1 && body.last == UInt8(ascii: "?") ? .query : .outside
        }
    }

    /// OSC 8: `parameters;address`. An empty address ends the link.
    private mutating func setLink(_ link: [UInt8]) {
        let address = link.firstIndex(of: UInt8(ascii: ";")).map { link[($0 + 1)...] } ?? []
        guard !address.isEmpty, link.count <= 4096 else {
            if !address.isEmpty { loseState() }
            pen.link = 0
            return
        }
        var number = links.number(of: link)
        if number == nil {
            removeUnusedLinks()
            number = links.number(of: link)
        }
        if number == nil { loseState() }
        pen.link = number ?? 0
    }

    private mutating func removeUnusedLinks() {
        var used: Set<UInt16> = [pen.link]
        main.changePens { used.insert($0.link) }
        alternate.changePens { used.insert($0.link) }
        for saved in [mainSaved, alternateSaved, switchSaved] { if let saved { used.insert(saved.pen.link) } }
        let renumbered = links.compact(keeping: used)
        main.changePens { $0.renumberLink(renumbered) }
        alternate.changePens { $0.renumberLink(renumbered) }
        pen.renumberLink(renumbered)
        mainSaved?.pen.renumberLink(renumbered)
        alternateSaved?.pen.renumberLink(renumbered)
        switchSaved?.pen.renumberLink(renumbered)
        pendingWrap?.pen.renumberLink(renumbered)
        lastWritten?.pen.link = 0
    }

    private mutating func performDeviceControl(_ body: Slice<UnsafeBufferPointer<UInt8>>) -> ShadowEffect {
        let function = body.drop { (0x30...0x3F).contains($0) }
        if function.starts(with: "$q".utf8) || function.starts(with: "+q".utf8) { return .query }
        // Sixel and ReGIS graphics, and characters of the program's own.
        switch function.first {
        case UInt8(ascii: "q")?, UInt8(ascii: "p")?: loseCells()
        case UInt8(ascii: "{")?: loseState()
        default: break
        }
        return .outside
    }
}
