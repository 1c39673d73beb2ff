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
        var lines = ByteLines()
        while let line = lines.next() {
            StandardOutput.print(ContractCase.reply(to: line).compactText())
            // Whoever has sent the case waits for its reply.
            fflush(nil)
        }
    }
}

/// The lines of standard input as they are: `readLine` replaces bytes that are not UTF-8.
private struct ByteLines: IteratorProtocol {
    private var received = Data()
    private var searched = 0
    private var isAtEnd = false

    mutating func next() -> Data? {
        while true {
            if let end = received[(received.startIndex + searched)...].firstIndex(of: 0x0A) {
                defer {
                    received = Data(received[(end + 1)...])
                    searched = 0
                }
                return received[..<end]
            }
            searched = received.count
            guard !isAtEnd else {
                defer { (received, searched) = (Data(), 0) }
                return received.isEmpty ? nil : received
            }
            var part = [UInt8](repeating: 0, count: 1 << 16)
            let count = read(STDIN_FILENO, &part, part.count)
            if count > 0 { received += part[..<count] } else if count == 0 || errno != EINTR { isAtEnd = true }
        }
    }
}
