import ArgumentParser
import ProgramKit

/// The flags that say how a status is asked for, whatever its address.
struct RequestOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read this configuration file.",
            discussion:
                "Default: $BELLEROPHON_CONFIG, else $XDG_CONFIG_HOME/bellerophon/config.json, else ~/.config/bellerophon/config.json. `config.example.json` shows every field.",
            valueName: "file"),
        completion: .file(extensions: ["json"])
    )
    var config: String?

    @Option(
        name: .long, help: ArgumentHelp("Seconds that one check may take, from its start to the last byte.", valueName: "seconds")
    )
    var timeout: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Accept only statuses signed by this key.",
            discussion: "As bellerophon-server keygen prints it; may be given several times. The status URL ends in .jws then.",
            valueName: "key")
    )
    var trustKey: [String] = []

    @Flag(name: .customLong("require-tls"), help: "Refuse plain http except to this machine.")
    var requiresTLS = false

    /// The configuration of the file and the environment with these flags, for a status that is named on the command line.
    /// - Parameters:
    ///   - address: the address of the status; nil for a status that is not asked for.
    ///   - flag: the flag that has the address, for errors.
    func resolve(_ address: String?, of flag: String) throws -> ProgramKit.Configuration {
        var (configuration, origin) = try ConfigurationOptions.loaded(config, for: .asking)
        configuration.services = []
        if let address { try configuration.apply(flag: "status.url", text: address, origin: flag) }
        try apply(to: &configuration, origin)
        return configuration
    }

    /// Applies the flags other than the file, and checks the whole.
    func apply(to configuration: inout ProgramKit.Configuration, _ origin: String) throws {
        if let timeout { try configuration.apply(flag: "status.timeout", text: timeout) }
        try applyTrustKeys(to: &configuration)
        if requiresTLS { configuration.requiresTLS = true }
        try configuration.validate(origin: origin)
    }

    /// Applies the flags together. Each must have a key: an empty one is the unset variable of a script.
    private func applyTrustKeys(to configuration: inout ProgramKit.Configuration) throws {
        guard !trustKey.isEmpty else { return }
        let empty = trustKey.first { $0.allSatisfy(\.isWhitespace) }
        try configuration.apply(flag: "trust.keys", text: empty ?? trustKey.joined(separator: " "))
    }
}
