import Bellerophon
import Foundation
import ProgramKit
import TerminalUI

/// What the screen has in common for all services: its size, the time, settings and content.
package struct ScreenModel: Equatable, Sendable {
    /// The size of the terminal. The dashboard has it without the rows of a caption.
    var size: Size
    let timeZone: TimeZone
    var now = MonotonicInstant()
    var date: Date
    /// The settings that the person can change while the program runs.
    package var live = LiveSettings()
    /// The keys of the commands.
    package var keys = KeySettings()
    /// The themes to choose from.
    package var themes: [ColorTheme] = []
    /// Where what the person chooses is kept.
    package var choiceFiles = ChoiceFiles()
    /// The dashboard's own texts and layout.
    var content = DashboardContent()
    var resources: [ResourceRow] = []
    /// All services if the program watches several, else none.
    var serviceList = ServiceList()
    /// Drawn over everything else of the dashboard.
    var palette: CommandPalette?

    /// - Parameters:
    ///   - date: the wall clock at the start.
    ///   - timeZone: used to print wall-clock times.
    package init(size: Size = Size(columns: 80, rows: 24), date: Date = Date(), timeZone: TimeZone = .current) {
        self.size = size
        self.date = date
        self.timeZone = timeZone
    }
}
