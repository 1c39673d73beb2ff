/// Text in large letters that are drawn with blocks, for titles that are read from a distance.
///
/// There are letters for A to Z, 0 to 9, the space and some punctuation. Lowercase letters are drawn as uppercase ones.
package enum LargeText {
    /// How large the letters are.
    package enum Scale: CaseIterable, Sendable {
        /// A pixel of a letter is a column and half a row: three rows, about five columns for a letter. With ASCII characters a
        /// pixel is a whole row, so there are five rows.
        case single
        /// A pixel is two columns and a row: five rows, about ten columns for a letter.
        case double
    }

    /// The rows of pixels of a letter.
    private static let rows = 5

    /// The text as lines of equal width, which keep its shape when centred.
    /// - Returns: nil if the text is empty or contains a character without a drawing.
    package static func lines(
        _ text: String, _ scale: Scale, style: Style, glyphs: GlyphStyle = .unicode
    ) -> [TextLine]? {
        guard let pixels = pixels(text) else { return nil }
        let lines =
            switch (scale, glyphs) {
            case (.single, .unicode): halfBlocks(pixels)
            case (.single, .ascii): pixels.map { row in String(row.map { $0 ? "#" : " " }) }
            case (.double, _): pixels.map { row in row.map { $0 ? "██" : "  " }.joined() }
            }
        return lines.map { TextLine($0, style) }
    }

    /// The pixels by rows, from above; nil if a character has no drawing.
    private static func pixels(_ text: String) -> [[Bool]]? {
        var lines = Array(repeating: [Bool](), count: rows)
        for character in text.uppercased() {
            guard let drawing = letters[character] else { return nil }
            for (row, pixels) in drawing.enumerated() {
                if !lines[row].isEmpty { lines[row].append(false) }
                lines[row] += pixels
            }
        }
        return lines[0].isEmpty ? nil : lines
    }

    /// Two rows of pixels in each line.
    private static func halfBlocks(_ pixels: [[Bool]]) -> [String] {
        stride(from: 0, to: rows, by: 2).map { row in
            pixels[row].indices.map { column in
                switch (pixels[row][column], row + 1 < rows && pixels[row + 1][column]) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }.joined()
        }
    }

    // MARK: Letters

    private static let letters: [Character: [[Bool]]] = {
        var table: [Character: [[Bool]]] = [:]
        for line in drawings.split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard let name = parts.first, let character = name.first, parts.count == rows + 1 else { continue }
            table[character] = parts.dropFirst().map { row in row.map { $0 == "#" } }
        }
        table[" "] = Array(repeating: [false, false], count: rows)
        return table
    }()

    /// A character in each line, with its rows of pixels from above.
    private static let drawings = """
        A .##. #..# #### #..# #..#
        B ###. #..# ###. #..# ###.
        C .### #... #... #... .###
        D ###. #..# #..# #..# ###.
        E #### #... ###. #... ####
        F #### #... ###. #... #...
        G .### #... #.## #..# .###
        H #..# #..# #### #..# #..#
        I ### .#. .#. .#. ###
        J ..## ...# ...# #..# .##.
        K #..# #.#. ##.. #.#. #..#
        L #... #... #... #... ####
        M #...# ##.## #.#.# #...# #...#
        N #..# ##.# ##.# #.## #..#
        O .##. #..# #..# #..# .##.
        P ###. #..# ###. #... #...
        Q .##. #..# #..# #.#. .#.#
        R ###. #..# ###. #.#. #..#
        S .### #... .##. ...# ###.
        T ##### ..#.. ..#.. ..#.. ..#..
        U #..# #..# #..# #..# .##.
        V #...# #...# .#.#. .#.#. ..#..
        W #...# #...# #.#.# ##.## #...#
        X #..# #..# .##. #..# #..#
        Y #...# .#.#. ..#.. ..#.. ..#..
        Z #### ...# .##. #... ####
        0 #### #..# #..# #..# ####
        1 .#. ##. .#. .#. ###
        2 ###. ...# .##. #... ####
        3 ###. ...# .##. ...# ###.
        4 #..# #..# #### ...# ...#
        5 #### #... ###. ...# ###.
        6 .##. #... ###. #..# .##.
        7 #### ...# ..#. .#.. .#..
        8 .##. #..# .##. #..# .##.
        9 .##. #..# .### ...# .##.
        . . . . . #
        , .. .. .. .# #.
        : . # . # .
        - ... ... ### ... ...
        ! # # # . #
        ? ###. ...# .##. .... .#..
        ' # # . . .
        / ...# ..#. ..#. .#.. #...
        """
}
