import ArgumentParser
import BellerophonBase
import Foundation

/// `bellerophon contract`: answers the cases of the contract in `Contract/`, as every client of the status document can.
struct ContractCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contract",
        abstract: "Answer the cases of the contract for clients, a line of JSON each.",
        discussion: """
            Reads one case per line from standard input and prints one reply per line, until the input ends. A case has a \
            status document, the facts of a client and a time; the reply says what the document means for that client. \
            Contract/README.md describes both. A line that is no case is answered with {"valid":false}.

            EXAMPLE
              Contract/run.py -- bellerophon contract
            """
    )

    func run() {
        while let line = readLine(strippingNewline: true) {
            StandardOutput.print(ContractCase.reply(to: Data(line.utf8)).compactText())
            // Whoever has sent the case waits for its reply.
            fflush(nil)
        }
    }
}
