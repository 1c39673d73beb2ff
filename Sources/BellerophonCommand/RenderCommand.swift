import ArgumentParser
import Bellerophon
import BellerophonBase
import Dashboard
import Foundation
import ProgramKit
import TerminalUI

/// `bellerophon render`: prints a frame as text, without a terminal.
struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Print what a person would see for a status document, as text.",
        discussion: """
            Needs no terminal: for bug reports, documentation and tests. An active status gives the dashboard, a \
            pause the kill view, a required update the update view. The same arguments give the same text, but for \
            the time, which --at fixes. Rules of the document are decided for the client and the time that the flags name; \
            nothing is taken from this machine without --this-machine, not even its language. `bellerophon preview` says why.

            EXAMPLES
              bellerophon render --status kill.json --size 80x24 --lang de
              echo '{"apiInactive":true,"forceUpdate":false,"retryInterval":9}' | bellerophon render --status -
            """
    )

    @Option(
        name: .long, help: ArgumentHelp("The status document, a JSON file; - reads standard input.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var status: String

    @Option(name: .long, help: ArgumentHelp("Columns x rows, each from 1 to 1000.", valueName: "80x24"))
    var size = "80x24"

    @Option(
        name: .long, help: ArgumentHelp("Draw this page of the overlay: status, details or help.", valueName: "page"),
        completion: .list(["status", "details", "help"]))
    var page = "status"

    @Option(
        name: .long,
        help: ArgumentHelp("The time to decide for and to draw, as ISO 8601 in UTC. Default: now.", valueName: "time"))
    var at: String?

    @Option(
        name: .long, help: ArgumentHelp("The characters of lines and drawings: unicode or ascii.", valueName: "choice"),
        completion: .list(GlyphStyle.allCases.map(\.rawValue)))
    var glyphs = GlyphStyle.unicode

    @Flag(name: .long, help: "Print the text of the view in reading order, a statement in a line, without a picture.")
    var linear = false

    @Option(name: .long, help: ArgumentHelp("The app's name.", valueName: "name"))
    var appName = "bellerophon"

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The language of the view and its message, such as de or pt-BR; several with commas.",
            discussion: "Default: English and the default message; with --this-machine those of LANGUAGE or the locale.",
            valueName: "tag"),
        completion: .list(OverlayPhrases.all.map(\.tag)))
    var lang: String?

    @OptionGroup var client: ClientOptions

    func run() throws {
        try reportingProblems {
            let facts = try client.facts()
            let rendering = StatusRendering(
                document: try document(), app: AppInfo(name: appName, version: facts.version), facts: facts,
                languages: try languages(), date: try ClientOptions.time(at) ?? Date(), timeZone: at == nil ? .current : .gmt
            )
            let (size, page) = (try frameSize(), try overlayPage())
            if linear {
                let lines = MainActor.assumeIsolated { rendering.linearText(page: page) }
                return StandardOutput.print(lines.joined(separator: "\n"))
            }
            StandardOutput.print(
                MainActor.assumeIsolated { rendering.frame(size, page: page, glyphs: glyphs).text(glyphs: glyphs) })
        }
    }

    private func languages() throws -> LanguagePreference {
        var configuration = ProgramKit.Configuration()
        if let lang { try configuration.apply(flag: "display.language", text: lang) }
        return configuration.display.language ?? (client.thisMachine ? .current : LanguagePreference([]))
    }

    private func document() throws -> StatusDocument {
        let data = try StatusOrigin.read(status)
        do {
            return try StatusDocument(json: data)
        } catch {
            throw ConfigurationError(origin: status == "-" ? "standard input" : status, "not a status document: \(error)")
        }
    }

    private func frameSize() throws -> Size {
        let parts = size.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let columns = parts[0], let rows = parts[1],
            (1...1000).contains(columns), (1...1000).contains(rows)
        else { throw ValidationError("--size: expected columns x rows from 1x1 to 1000x1000, such as 80x24; found \"\(size)\"") }
        return Size(columns: columns, rows: rows)
    }

    private func overlayPage() throws -> OverlayPresentation.Page {
        switch page {
        case "status": .status
        case "details": .details
        case "help": .help
        default: throw ValidationError("--page: expected status, details or help; found \"\(page)\"")
        }
    }
}

extension GlyphStyle: ExpressibleByArgument {}
