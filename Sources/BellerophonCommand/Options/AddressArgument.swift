import ArgumentParser

/// The address of the status as an argument, for the commands that watch or check one.
struct AddressArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Ask for the status at this http or https address.", discussion: "The same as --status-url.", valueName: "url"),
        transform: address)
    var url: String?

    /// The options with the address of the argument.
    /// - Throws: `ValidationError` if a flag has an address too.
    func applied(to options: ConfigurationOptions) throws -> ConfigurationOptions {
        guard let url else { return options }
        guard options.statusURL == nil else {
            throw ValidationError("give the address as an argument or with --status-url, not both")
        }
        var options = options
        options.statusURL = url
        return options
    }

    /// Whether a word is an address, and not the name of a command.
    static func isAddress(_ word: String) -> Bool { word.contains("://") }

    private static func address(_ text: String) throws -> String {
        guard isAddress(text) else {
            throw ValidationError("expected an http or https address, such as https://status.example/status")
        }
        return text
    }
}
