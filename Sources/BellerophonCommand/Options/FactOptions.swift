import ArgumentParser
import ProgramKit

/// The flags for what the rules of a status may ask about an app.
struct FactOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "State a fact about the app, which the rules of a status may ask.",
            discussion:
                "Such as region=eu; may be given several times. The names os, osVersion, arch, ci, terminal and source replace what is found out. Facts are never sent anywhere.",
            valueName: "name=value"))
    var fact: [String] = []

    @Option(name: .long, help: ArgumentHelp("The app's installed version.", valueName: "version"))
    var appVersion: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Decide with this text whether the installation belongs to the share of a rule.",
            discussion: "1 to 128 bytes. Default: a random text that is kept in the state folder.", valueName: "text"))
    var installID: String?

    func apply(to configuration: inout ProgramKit.Configuration) throws {
        try configuration.apply(facts: fact, origin: "--fact")
        if let appVersion { try configuration.apply(flag: "app.version", text: appVersion) }
        if let installID { try configuration.apply(flag: "app.installID", text: installID) }
    }
}
