import BellerophonCurses
import Foundation
import TerminalUI

/// The arguments and environment of the program.
struct Launch {
    let file: NoteFile
    let status: URL
    /// The command to run when the status requires an update and the person agrees; nil if none is configured.
    let updateCommand: String?

    private struct Complaint: Error {
        let text: String
    }

    static let usage = """
        usage: Notes [--status-url URL] [FILE]

          FILE              where the notes are kept; else notes/notes.txt in $XDG_DATA_HOME
          --status-url URL  the status that can pause this program; else $NOTES_STATUS_URL

        $NOTES_UPDATE_COMMAND is run when an update is required and you press u.

        """

    /// Reads the command line and the environment. On an error it prints one line and exits with 64, or with 1 if there
    /// is no suitable terminal or the file cannot be read.
    @MainActor
    static func orExit() -> Launch {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.contains("--help") || arguments.contains("-h") {
            print(usage, terminator: "")
            exit(0)
        }
        do {
            let launch = try Launch(arguments: arguments, environment: ProcessInfo.processInfo.environment)
            try CursesTerminal.check()
            return launch
        } catch let complaint as Complaint {
            leave(complaint.text, code: 64)
        } catch let error as KillSwitchError {
            leave(error.description, code: 64)
        } catch let error as TerminalError {
            leave(error.description, code: 1)
        } catch {
            leave(error.localizedDescription, code: 1)
        }
    }

    private static func leave(_ text: String, code: Int32) -> Never {
        FileHandle.standardError.write(Data("notes: \(TextSanitizer.sanitize(text))\n".utf8))
        exit(code)
    }

    private init(arguments: [String], environment: [String: String]) throws {
        var path: String?
        var address = environment["NOTES_STATUS_URL"]
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--status-url" {
                address = rest.popFirst()
            } else if argument.hasPrefix("-") || path != nil {
                throw Complaint(text: "unknown argument \(argument); see --help")
            } else {
                path = argument
            }
        }
        guard let address else { throw Complaint(text: "give a status with --status-url or NOTES_STATUS_URL; see --help") }
        status = try KillSwitch.statusURL(address)  // killable: before initscr(), so that the error can be read
        updateCommand = environment["NOTES_UPDATE_COMMAND"]
        file = try NoteFile(url: path.map { URL(fileURLWithPath: $0) } ?? NoteFile.defaultURL(environment: environment))
    }
}
