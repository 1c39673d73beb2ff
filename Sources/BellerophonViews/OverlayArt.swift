import TerminalUI

/// The line drawings of large terminals. An ornament: they say nothing that the words below don't.
///
/// Drawn as curves and set in Braille patterns, two dots by four in a cell.
enum OverlayArt {
    /// The Chimera (lion, goat and snake) asleep, for a pause.
    static let sleepingChimera = drawing(
        """
                         Z          ⣀⣤⣤⡖⠛⠛⠲⣄
                      z     z    ⣠⠴⠚⠋  ⠙⣧⡀ ⢸⡆
              ⢀⣤⠤⠖⠋⠙⠓⠋⠙⠲⠤⣤⡀    ⡴⠋⠳⠴⢂⡤   ⠚⢷ ⠞                 ⣀⣀⣀
            ⢀⡴⠏     ⣠⠤⢤   ⠹⢦⡀ ⠸⢥⣤⡴⠚⣹⠁    ⢸⡄               ⢀⣴⠿⠿⠤⣬⡙⣦
           ⢀⡏   ⣠⠖⠚⠛⠛⠲⣼⡇    ⢹⡀⣀⣤⠿⠥⢤⡇     ⠸⣧⠤⠤⠤⠤⣤⣄⣀        ⡞ ⣴⣦⣤⣤⡤⠏
           ⣾  ⢠⠞      ⠈⢳⡀    ⣻⠁                  ⠈⠙⠳⢦⡀    ⠙⠦⣤⣈⠙⠳⡄
           ⣾⢀⡴⠋ ⠐⠦⠴⠃   ⠈⣇    ⣷                ⣀⡤⠴⠶⠦⢤⣀⠙⢦⡀     ⠈⢳⡄⠹⡄
           ⠘⢿⠶          ⠿   ⠴⠃              ⢀⡞⠁     ⠈⢳⡀⢻      ⢀⡇ ⡇
           ⣀⣈⡛⠿⠯⠤⠤⢀⣀⣀⣤⣤⣤⣄⣀                  ⣼ ⣀      ⢸⡇⢸⣦⣄⣀⣀⣠⠴⠚ ⣰⠇
         ⢠⡞⢩⡅⢠⡄          ⣈⡇               ⢀⡖⢻⡉⠉        ⣸⣀⣀⣀⣀⣀⣀⡤⠞⠁
         ⠈⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠁⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠁⠈⠉⠉⠁
        """)

    /// Pegasus, whom Bellerophon rode, for an update.
    static let wingedHorse = drawing(
        """
                          ⠐⣷⠲⢤⣄⡀  ⣄⡀              ⣀
                         ⣦⣤⣬⣷⡄ ⠉⠳⢦⡀⠉⠓⢦⣀        ⢀⣀⣰⠏⠳⣄⡀
                         ⡈⠳⢤⣀    ⠈⠻⢦⡐⢦⡈⠳⣄    ⣠⣾⣭⠟⠛  ⢀⡉⠳⢄
                         ⠙⢯⣉⡉       ⢻⣆⠙⣆⠈⢳⡀⢠⣾⠟⠉         ⠳⣄
                           ⢬⣽⠟⠃     ⢸⠛⣇⠘⣇ ⣹⡟⠁      ⣰⠓⠲⠦⣤⣠⠿
             ⣀⡤⠶⠒⠒⠒⠶⠤⣄⡀ ⢀⣠⠴⠶⠞⠻⠶⠶⠦⠤⠤⠶⢾⠄⣿ ⣿⠘⠁⢹      ⢠⡇
        ⢰⣤⠤⠴⠚⢁⡤⠖⠋⣉⣭⣭⣓⡆⠙⣶⠋           ⠈⢧⣀ ⠃ ⢀⡞      ⣸⠁
         ⠉⠓⠦⠤⠬⠶⠒⠋⠁   ⠉⣳⡇       ⣠⣀⣀    ⠈⠛⠲⠖⠋    ⣀⣀⣴⣛⣛⠛⠒⠒⠶⢤⡀
                ⣀⣤⡤⠴⠚⠋⠁⣠⠴⠋⢡⡖ ⣠⠞⠁ ⠉⠉⠛⠓⠒⠒⠶⠶⠖⠒⠚⠲⢤⣀⠙⠻⢭⣉⠉⠉⢉⡿⢂⡼⠁
              ⣠⠞⠁⣠⠴⠶⠖⠚⠉⣁⡤⠞⣋⡴⠚⠁                ⠉⠛⠲⢤⣌⣙⡓⠺⠿⢭⣄
           ⠠⣤⠞⢁⡴⠋⠁ ⣀⡤⠖⢋⣡⠖⠋⠁                        ⠈⠉⠉⠛⠛⠛⠃
              ⠋    ⠙⠶⠖⠋
        """)

    /// A drawing as lines of one width, so that centring keeps its shape.
    static func lines(_ drawing: [String]) -> [TextLine] {
        let width = drawing.map(CellText.width(of:)).max() ?? 0
        return drawing.map { TextLine(CellText.padded($0, columns: width), Style(.dim)) }
    }

    private static func drawing(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
