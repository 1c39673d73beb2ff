import Bellerophon
import Foundation
import TerminalUI
import Testing

@testable import Dashboard

/// Several services in one model.
@Suite struct ServiceModelTests {
    private func model() -> DashboardModel {
        let services = ["Catalogue", "Payments"].map { ServiceModel(app: AppInfo(name: $0), source: "demo.local/\($0)") }
        var model = DashboardModel(services: services, screen: ScreenModel(timeZone: .gmt))
        _ = model.handle(.services(model.watched))
        return model
    }

    @Test("A report belongs to its own service")
    func reports() {
        var model = model()
        _ = model.handle(.report(.remark("the disk is full"), of: 1))
        #expect(model.frame(size: Size(columns: 80, rows: 24)).text.contains("the disk is full") == false)
        model.show(serviceAt: 1)
        #expect(model.frame(size: Size(columns: 80, rows: 24)).text.contains("the disk is full"))
    }

    @Test("Every service keeps the page and the filter that a person has chosen in it")
    func views() {
        var model = model()
        for key: Key in [.character("/"), .character("x"), .enter, .character("?")] { _ = model.handle(.key(key)) }
        let help = model.frame(size: Size(columns: 80, rows: 24)).text
        model.show(serviceAt: 1)
        #expect(!model.frame(size: Size(columns: 80, rows: 24)).text.contains("┌ Help"))
        model.show(serviceAt: 0)
        #expect(model.frame(size: Size(columns: 80, rows: 24)).text == help)
        _ = model.handle(.key(.escape))
        #expect(model.view.filter.text == "x")
    }

    @Test("Settings, content and size are those of every service")
    func shared() throws {
        var model = model()
        var content = DashboardContent()
        content.title = "Catalogue of things"
        _ = model.handle(.content(content))
        _ = model.handle(.resized(Size(columns: 120, rows: 40)))
        model.show(serviceAt: 1)
        #expect(model.size == Size(columns: 120, rows: 40))
        #expect(model.frame(size: model.size).text.contains("Catalogue of things"))
    }

    @Test("A hidden pane does not keep the focus in a service that is opened later")
    func hidden() {
        var model = model()
        _ = model.handle(.resources([ResourceRow(name: "help.txt", activity: .idle)]))
        model.show(serviceAt: 1)
        while model.view.focus != .resources { _ = model.handle(.key(.tab)) }
        model.show(serviceAt: 0)
        _ = model.handle(.resources([]))
        model.show(serviceAt: 1)
        #expect(model.view.focus == .events)
    }

    @Test("Every pane has a name of its own, and the events always have a place")
    func panes() {
        #expect(Set(Pane.all.map(\.pane)).count == Pane.all.count)
        #expect(DashboardContent.hideable.map(\.name) == ["latency", "transitions", "plan", "resources"])
    }
}
