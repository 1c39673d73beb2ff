import ArgumentParser
import BellerophonBase
import Foundation

/// `bellerophon contract`: answers the cases of the contract in `Contract/`, as every client of the status document can.
struct ContractCommand: ParsableCommand {
    /// The number of the contract that this program knows.
    static let number = "1.0"

    static let configuration = CommandConfiguration(
        commandName: "contract",
        abstract: "Answer the cases of the contract for clients, a line of JSON each.",
        discussion: """
            Reads one case per line from standard input and prints one reply per line, until the input ends. A case has a \
            status document, the facts of a client and a time; the reply says what the document means for that client. \
            Contract/README.md describes both. A line that is no case is answered with {"valid":false}. --version prints the \
            number of the contract.

            EXAMPLE
              Contract/run.py -- bellerophon contract
            """,
        version: number
    )

    func run() {
        // `readLine` would replace bytes that are not UTF-8.
        let input = fdopen(STDIN_FILENO, "r")
        var (line, capacity): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        defer { free(line) }
        while let input, case let count = getline(&line, &capacity, input), count > 0, let line {
            let bytes = Data(bytes: line, count: count)
            StandardOutput.print(ContractCase.reply(to: bytes.last == 0x0A ? bytes.dropLast() : bytes).compactText())
            // Whoever has sent the case waits for its reply.
            fflush(nil)
        }
    }
}
