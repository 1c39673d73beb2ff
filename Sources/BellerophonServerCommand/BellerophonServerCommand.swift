#if Server
import ArgumentParser

/// The status and resource server, and its operators' commands.
@main
struct BellerophonServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bellerophon-server",
        abstract: "Publishes statuses and resources for programs that use Bellerophon."
    )
}
#else
import Foundation

/// What is built without the trait says how to build the server.
@main
struct BellerophonServerCommand {
    static func main() {
        let text = "bellerophon-server was built without its server: build it with 'swift build --traits Server'.\n"
        FileHandle.standardError.write(Data(text.utf8))
        exit(69)
    }
}
#endif
