// What libvterm cannot judge, because it differs from xterm there and tells too little to correct it. All other differences
// are corrected in the target CVterm.
extension CoverTrial {
    /// The stretches in the order of their beginnings, with beginnings and ends moved forward to where libvterm can judge.
    func judgeable(_ stretches: [Range<Int>]) -> [Range<Int>] {
        stretches.map { stretch in
            let start = judgeable(stretch.lowerBound)
            return start..<max(start, judgeable(stretch.upperBound))
        }.sorted { $0.lowerBound < $1.lowerBound }
    }

    private func judgeable(_ position: Int) -> Int {
        var position = position
        while position < stream.count, continuesLastCharacter(at: boundaries.boundary(atOrBefore: position)) {
            position = boundaries.boundary(after: position)
        }
        return position
    }

    /// libvterm joins a combining mark to, and repeats with REP, the character that it drew last, which was the cover's. xterm
    /// joins a mark to the character before the cursor.
    private func continuesLastCharacter(at position: Int) -> Bool {
        let rest = stream[position...].prefix(16)
        if rest.starts(with: [0x1B, UInt8(ascii: "[")]) {
            return rest.dropFirst(2).drop { (0x30...0x39).contains($0) }.first == UInt8(ascii: "b")
        }
        guard let first = String(decoding: rest.prefix(4), as: UTF8.self).unicodeScalars.first else { return false }
        return [.nonspacingMark, .enclosingMark, .format].contains(first.properties.generalCategory)
    }
}
