import TerminalUI

/// The line drawings above the headline, if there is room. They are decoration and carry no information.
///
/// Drawn with Braille patterns, which have two by four dots per cell.
enum OverlayArt {
    /// The Chimera (lion, goat and snake) asleep, for the kill view.
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

    /// Pegasus, the horse of Bellerophon, for the update view.
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

    /// The same drawings in half the size, for terminals of 80×24.
    static let smallChimera = drawing(
        """
                z   ⢀⡠⠖⠺⡍⢱⡀
          ⢀⠔⠊⠉⣉⡉⠒⢄ ⢔⣉⢦⠂ ⢹⡈       ⢀⣴⣒⢄
         ⢠⠃⡠⠊⠉⠉⢻  ⢣⠒⠓⠚  ⠈⠓⠒⠒⠒⠤⡀  ⢇⣒⠶⡊
         ⠸⣴⠁⠐⠊  ⡇ ⡸       ⢠⠒⠚⠒⢪⢢   ⢳⢱
        ⢀⣴⣊⡛⠒⠐⠒⠒⢒⡄       ⢠⡧⠆  ⠘⢻⣒⣒⣒⡡⠊
        ⠈⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠁
        """)

    static let smallHorse = drawing(
        """
                ⢀⣘⣕⠢⢄⠢⢄⡀    ⣀⠦⡀
                ⠠⣵⠆  ⠑⣔⢌⢢⢀⡴⠟⠉ ⠈⠑⢄
          ⢀⣠⠤⢤⣀ ⢀⣰⠯⣥⣀⣠⡏⡏⡧⢻   ⣰⠉⠒⠚
        ⠲⢖⣁⡮⠝⠛⠳⣽⠁  ⢀⣀ ⠘⠢⠥⠜ ⢀⣀⣧⠤⢤⡀
           ⡠⢒⣲⠭⢔⡪⣞⠔⠁⠈⠉⠉⠙⠋⠉⠑⠮⢝⣫⠭⣧⡃
          ⠊⠔⠁⠰⡮⠕⠉             ⠉⠉⠉
        """)

    /// A drawing as lines of equal width, which keep its shape when centred.
    static func lines(_ drawing: [String]) -> [TextLine] {
        let width = drawing.map(CellText.width(of:)).max() ?? 0
        return drawing.map { TextLine(CellText.padded($0, columns: width), Style(.dim)) }
    }

    private static func drawing(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
