import ArgumentParser
import BellerophonTrust
import Foundation

/// `bellerophon-server keygen`: creates the key that signs statuses and manifests, or prints its public key.
struct KeygenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen",
        abstract: "Make a key that signs statuses and resources, or show the public half of one.",
        discussion: """
            The file (a JWK with an Ed25519 key) is for its owner only and is never overwritten. What is printed is the \
            public key: it belongs into every client's trust.keys, the file into signing.key of the server. A client \
            with a key takes nothing that is not signed. To rotate a key, let clients trust both first.

            EXAMPLES
              bellerophon-server keygen signing.jwk
              bellerophon-server serve --signing-key signing.jwk
              bellerophon-server keygen --public signing.jwk
            """
    )

    @Argument(help: "The key's file; a new one unless --public is given.", completion: .file(extensions: ["jwk"]))
    var file: String
    @Flag(help: "Make nothing; print the public key of the file that is there.")
    var `public` = false

    func run() async throws {
        let place = URL(fileURLWithPath: file)
        let key = try `public` ? SigningKey.read(file: place) : SigningKey.generate()
        if !`public` { try key.write(newFile: place) }
        try Output.write(key.publicKey.text)
        guard !`public` else { return }
        Output.writeError(Output.line("this is the public key; the secret one is in \(file), for its owner only"))
        Output.writeError("  server: \"signing\": {\"key\": FILE}, or serve --signing-key FILE")
        Output.writeError("  clients: \"trust\": {\"keys\": [\"\(key.publicKey.text)\"]}")
    }
}
