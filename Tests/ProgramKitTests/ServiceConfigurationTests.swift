import Bellerophon
import BellerophonBase
import Foundation
import ProgramKit
import Testing

/// `services` in the configuration.
@Suite struct ServiceConfigurationTests {
    @Test("A service overrides the general settings and does not inherit header fields")
    func serviceOverridesSettings() throws {
        let configuration = try apply(
            """
            {"app": {"name": "General", "version": "1"}, "update": {"command": "true"},
             "status": {"url": "http://a.example/s", "headers": {"Authorization": "secret"}, "timeout": 4, "interval": 60},
             "services": [{"name": "Payments", "app": {"version": "2"},
                           "status": {"url": "http://b.example/s", "interval": 5}}]}
            """)
        let service = configuration.configuration(of: try #require(configuration.services.first))
        #expect(service.app == AppInfo(name: "Payments", version: "2"), "how to update is not inherited")
        #expect(service.statusURL?.absoluteString == "http://b.example/s")
        #expect(service.activeInterval == .seconds(5) && service.timeout == .seconds(4))
        #expect(service.headers == [:], "a header field may be a secret of another server")
        #expect(configuration.statusURL?.absoluteString == "http://a.example/s")
    }

    @Test(arguments: [
        (#"{"services": {}}"#, "line 1: services: expected an array of objects"),
        ("{\"services\": [\n1]}", "line 2: services.1: expected an object, found a number"),
        (#"{"services": [{"name": "A"}]}"#, "line 1: services.1.status.url: expected the address of the service's status"),
        (
            "{\"services\": [\n{\"name\": \"A\", \"status\": {\"ulr\": \"http://a.example/\"}}]}",
            "line 2: services.1.status.ulr: unknown key; did you mean status.url?"
        ),
        (
            "{\"services\": [\n{\"name\": \"A\", \"status\": {\"url\": \"http://a.example/\", \"timeout\": 0}}]}",
            "line 2: services.1.status.timeout: expected a number of seconds from 0.1 to 300, found the number 0"
        ),
        (#"{"services": [{"status": {"url": "http://a.example/"}}]}"#, "line 1: services.1.name: expected a name of its own"),
        (
            #"{"services": [{"name": "A", "status": {"url": "http://a.example/"}}, {"name": "A", "status": {"url": "http://b.example/"}}]}"#,
            "line 1: services.2.name: expected a name of its own"
        ),
        (
            #"{"services": [{"name": "A", "display": {"color": "never"}, "status": {"url": "http://a.example/"}}]}"#,
            "line 1: services.1.display: unknown key"
        ),
        (
            #"{"status": {"requireTLS": true}, "services": [{"name": "A", "status": {"url": "http://a.example/"}}]}"#,
            "line 1: services: A: status.url:"
        ),
    ])
    func aMistakeIsNamedWithItsPlace(json: String, problem: String) {
        let found = problems(json)
        #expect(found.count == 1 && found.first?.hasPrefix(problem) == true, "\(found)")
    }

    @Test func tooManyServicesAreRefused() {
        let services = (1...100).map { #"{"name": "\#($0)", "status": {"url": "http://a.example/\#($0)"}}"# }
        #expect(
            problems("{\"services\": [\(services.joined(separator: ","))]}") == [
                "line 1: services: expected at most 99 services, found 100"
            ])
    }
}
