import ArgumentParser
import BellerophonBase
import Foundation
import ProgramKit
import ProgramUpdates
import TerminalUI

/// `bellerophon init`: writes a first configuration after three questions.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a first configuration by answering three questions.",
        discussion: """
            Asks for the address of the status, the name of the app, and whether lines are wanted in place of a screen. Enter \
            alone chooses what the question names. The file is written after the last answer, for its owner only; if the input \
            ends before that, nothing is written. A file that is there is replaced only after a yes. The answers can come from \
            a pipe, a line each.

            EXAMPLES
              bellerophon init
              printf 'https://status.example.com/status\\nnotes 1.4.0\\nno\\n' | bellerophon init --config notes.json
            """
    )

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write this file.", discussion: "Default: the file that `bellerophon run` reads.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var config: String?

    func run() throws {
        let variables = Environment.variables
        // A link stays, and the file that it names is written.
        let file = URL(fileURLWithPath: ConfigurationOptions.place(config)).resolvingSymlinksInPath()
        let exists = FileManager.default.fileExists(atPath: file.path)
        var present = ProgramKit.Configuration()
        try reportingProblems { try present.apply(environment: variables) }
        var dialog = FirstConfiguration(path: file.path, exists: exists, isPlain: present.display.isPlain)
        while let prompt = dialog.prompt {
            ask(prompt)
            guard let line = readLine() else {
                StandardError.print("\nbellerophon: the input ended before the last answer; nothing was written")
                throw ExitCode(1)
            }
            if let problem = dialog.answer(line) { StandardOutput.print(problem) }
        }
        guard !dialog.keepsFile else {
            StandardOutput.print("\(file.path) is as it was")
            throw ExitCode(1)
        }
        try write(dialog.text, to: file, replacing: exists)
        let flag = config.map { " --config \(ShellWord.quoted($0))" } ?? ""
        StandardOutput.print("wrote \(file.path); next, run: bellerophon check\(flag)")
    }

    private func write(_ text: String, to file: URL, replacing exists: Bool) throws {
        do {
            try FileCalls.makeFolder(file.deletingLastPathComponent())
            try FileCalls.replace(
                file.path, with: Data(text.utf8), draft: file.path + ".new", createsOnly: !exists)
        } catch {
            StandardError.print("bellerophon: \(error); nothing was written")
            throw ExitCode(64)
        }
    }

    /// Prints a question. On a terminal the answer follows on its line.
    private func ask(_ prompt: String) {
        Swift.print(TextSanitizer.printable(prompt), terminator: isatty(0) == 1 ? "" : "\n")
        fflush(nil)
    }
}
