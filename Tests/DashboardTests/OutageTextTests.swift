import Barricade
import Bellerophon
import BellerophonViews
import Foundation
import ProgramKit
import ScenarioKit
import TerminalUI
import TestSupport
import Testing

/// The guide for people who do not see the screen has the text of a whole outage, as the package says it.
@MainActor @Suite("A whole outage as text") struct OutageTextTests {
    private static let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../docs/accessibility.md").standardizedFileURL

    /// A pause whose message changes while checks fail, then an update, and the end.
    private static let timeline = Timeline(
        "an outage", request: "status",
        steps: [
            .init("tour: live", .lasting(.seconds(62))), .init("tour: paused", .lasting(.seconds(590))),
            .init("tour: failing", .lasting(.seconds(20))), .init("tour: nearly done", .lasting(.seconds(300))),
            .init("tour: update", .lasting(.seconds(120))), .init("tour: over"),
        ])

    /// What each way to say it has said.
    private struct Outage {
        var lines = ""
        var views: [String] = []
        var covers: [String] = []
    }

    /// What was said in the outage, which both tests read.
    private static let outage = Result { try play() }

    private static func play() throws -> Outage {
        let output = PlainOutput(.text, timeZone: .gmt)
        var (outage, reporter) = (Outage(), PlainReporter())
        let views = [LinearView(keys: OverlayCommand.standardKeys), LinearView(keys: OverlayCommand.updateKeys)]
        var shown: (view: LinearView, content: OverlayContent, screen: String)?
        _ = try TimelineRun(timeline, of: StatusScenarios.file) { report, manager, date in
            var content = manager.overlayContent()
            (content.timeZone, content.program, content.app.version) = (.gmt, .running, "1.4.0")
            if outage.lines.isEmpty {
                let session = SessionLogRecord.Session(app: content.app, source: content.source, isSimulated: true)
                outage.lines += output.text(.started(session, trust: ""), at: date)
            }
            let events = reporter.events(for: report, manager.machine, content, actions: [])
            outage.lines += events.map { output.text($0, at: date) }.joined()
            let view = views[content.stage == .updateRequired ? 1 : 0]
            guard content.stage.isBlocked else {
                if let (view, content, _) = shown {
                    outage.covers.append(Self.screen { view.drawEnd(of: content, in: &$0) })
                    shown = nil
                }
                return
            }
            let text = LinearText(content, keys: view.keyMap).lines.joined(separator: "\n")
            if !events.isEmpty, text != outage.views.last { outage.views.append(text) }
            if let shown, shown.view !== view { outage.covers.append(shown.screen) }
            shown = (view, content, Self.screen { view.draw(content, in: &$0) })
        }
        return outage
    }

    private static func screen(_ draw: (inout Frame) -> Void) -> String {
        var frame = Frame(Size(columns: 110, rows: 40))
        draw(&frame)
        return frame.text.split(separator: "\n").map { String($0.reversed().drop { $0 == " " }.reversed()) }
            .filter { !$0.isEmpty }.joined(separator: "\n")
    }

    @Test("The guide has every line of an outage, as lines, as views and under the guard")
    func guide() throws {
        let outage = try Self.outage.get()
        let parts = [
            ("outage in lines", "the outage in lines", outage.lines),
            ("views of the outage", "the views of the outage", outage.views.joined(separator: "\n\n") + "\n"),
            ("outage under the guard", "the outage under the guard", outage.covers.joined(separator: "\n\n") + "\n"),
        ]
        for (begin, end, text) in parts {
            let problem = try DocumentPart.problem(
                "the \(begin)", "```text\n\(text)```\n", in: Self.document,
                from: "<!-- \(begin): written by RECORD_TABLES=1 make test -->\n", to: "<!-- end of \(end) -->")
            #expect(problem == nil)
        }
    }

    @Test("No line of an outage is said twice, and none counts down")
    func once() throws {
        let outage = try Self.outage.get()
        let lines = outage.lines.split(separator: "\n").map { $0.dropFirst("14:02:11 ".count) }
        #expect(Set(lines).count == lines.count && lines.count < 20)
        for cover in outage.covers {
            let lines = cover.split(separator: "\n")
            #expect(Set(lines).count == lines.count)
        }
        #expect(outage.covers.count == 2 && outage.covers.last?.hasSuffix("is available again.") == true)
    }
}
