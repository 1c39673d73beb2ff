import Bellerophon
import Foundation
import Testing

@Suite("Addresses of statuses")
struct StatusAddressTests {
    @Test(
        "An http or https address with a host can be used",
        arguments: [
            "https://status.example.com/status", "HTTP://localhost:8080", "http://[::1]:8080/status", "https://a.example:65535/",
            "https://ada:secret@status.example.com/",
        ])
    func usable(address: String) throws {
        #expect(StatusAddress.problem(of: try #require(URL(string: address))) == nil)
    }

    @Test(
        "What is missing in an address is named, with what to do",
        arguments: [
            ("status.example.com/status", #""status.example.com/status" has no scheme; put https:// before it"#),
            ("status.example.com:8080/status", #""status.example.com:8080/status" has no scheme; put https:// before it"#),
            ("localhost", #""localhost" has no scheme; put https:// before it"#),
            ("//a.example/status", #""//a.example/status" has no scheme; put https: before it"#),
            ("/status", #""/status" has no scheme and no host; write an address such as https://status.example.com/status"#),
            ("https:a.example/status", #""https:a.example/status" has no "://"; write https:// and the host"#),
            ("http:/a.example/status", #""http:/a.example/status" has no "://"; write http:// and the host"#),
            ("https:///status", #""https:///status" has no host; write one after https://"#),
            ("http://:8080/status", #""http://:8080/status" has no host; write one after http://"#),
            ("ftp://a.example/status", #""ftp://a.example/status" begins with ftp://; use an http or https address"#),
            ("file:///etc/status", #""file:///etc/status" begins with file://; use an http or https address"#),
            ("ada:secret@a.example/status", #""…@a.example/status" has no scheme; put https:// before it"#),
            ("http://a.example:0/status", #""http://a.example:0/status" has the port 0; use one from 1 to 65535"#),
        ])
    func problem(address: String, problem: String) throws {
        #expect(StatusAddress.problem(of: try #require(URL(string: address))) == problem)
    }

    @Test("A check of such an address and the name of its source have the address once")
    func shownOnce() async throws {
        let source = URLSessionStatusSource(url: try #require(URL(string: "status.example.com/status")))
        #expect(source.name == "status.example.com/status")
        guard case .failure(let error) = await source.check() else {
            Issue.record("the address was used")
            return
        }
        #expect(error.description.components(separatedBy: "status.example.com").count == 2)
    }
}
