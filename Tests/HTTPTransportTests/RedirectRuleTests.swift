import Foundation
import Testing

@testable import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Redirect rule")
struct RedirectRuleTests {
    private func target(
        _ location: String, from url: String = "http://status.example:8080/v1/status?x=1"
    ) throws -> Result<String, TransportError> {
        RedirectRule.target(of: location, from: try #require(URL(string: url))).map(\.absoluteString)
    }

    private func refusal(_ location: String) throws -> String? {
        if case .failure(.redirect(let text)) = try target(location) { text } else { nil }
    }

    @Test(arguments: [
        ("/there", "http://status.example:8080/there"), ("there", "http://status.example:8080/v1/there"),
        ("?y=2", "http://status.example:8080/v1/status?y=2"), ("../a/./b", "http://status.example:8080/a/b"),
        ("http://status.example:8080/there", "http://status.example:8080/there"),
        ("HTTP://STATUS.example:8080/there", "HTTP://STATUS.example:8080/there"),
        ("//status.example:8080/there", "http://status.example:8080/there"), (" /there\t", "http://status.example:8080/there"),
    ])
    func aPlaceOfTheSameOriginIsFollowed(location: String, expected: String) throws {
        #expect(try target(location).get() == expected)
    }

    @Test func theDefaultPortIsTheSameAsNone() throws {
        #expect(try target("https://a.example:443/b", from: "https://a.example/").get() == "https://a.example:443/b")
        #expect(try target("https://a.example/b", from: "https://a.example:443/").get() == "https://a.example/b")
        #expect(try target("http://[2001:DB8::1]/b", from: "http://[2001:db8::1]/").get() == "http://[2001:DB8::1]/b")
    }

    @Test(arguments: [
        ("http://status.example/", "http://status.example:80"), ("https://status.example:8080/", "https://status.example:8080"),
        ("//other.example/", "http://other.example:80"), ("//[::1]/", "http://[::1]:80"), ("file:///etc/passwd", "file://:80"),
        ("javascript:alert(1)", "javascript://:80"), ("data:,x", "data://:80"),
    ])
    func anotherOriginIsNamed(location: String, origin: String) throws {
        #expect(try refusal(location) == "the server points to another origin, \(origin)")
    }

    /// Resolved against the original URL, each of these would be a URL of the same origin.
    @Test(arguments: ["https://", "http:", "http:/x", "http:x", "http:///x", "https:?y"])
    func aSchemeWithoutAHostIsRefused(location: String) throws {
        #expect(try refusal(location)?.hasSuffix("without a host") == true)
    }

    @Test(
        "A redirect to an invalid address or an ambiguous host is refused",
        arguments: [
            "", " ", "/a b", "/a\u{1B}[2J", "/é", "/a\\b", "\\\\other.example/", "/<x>", String(repeating: "/a", count: 5000),
            "//a%20b/", "//a%2fb/", "//a%40b/", "//%25/", "//a%1b/", "http://status.example:8080@other.example/",
            "http://user@status.example:8080/", "http://status.example:8080:80/", "http://status.example:x/", "//", "///x",
            "//[::1/", "http://status.example:999999/",
        ])
    func invalidLocationIsRefused(location: String) throws {
        #expect(try refusal(location) != nil)
    }

    @Test func onlySoManyAreFollowed() throws {
        let url = try #require(URL(string: "http://a.example/"))
        let head = try #require(HTTPURLResponse(url: url, statusCode: 302, httpVersion: nil, headerFields: ["Location": "/b"]))
        #expect(try RedirectRule.target(of: head, count: 3, limit: 3)?.get().path == "/b")
        #expect(RedirectRule.target(of: head, count: 4, limit: 3) == .failure(.redirect("more than 3 in a row")))
    }

    @Test(arguments: [(200, "/b"), (304, "/b"), (300, "/b"), (302, nil)])
    func otherResponsesAreNoRedirects(code: Int, location: String?) throws {
        let url = try #require(URL(string: "http://a.example/"))
        let fields = location.map { ["Location": $0] } ?? [:]
        let head = try #require(HTTPURLResponse(url: url, statusCode: code, httpVersion: nil, headerFields: fields))
        #expect(RedirectRule.target(of: head, count: 1, limit: 3) == nil)
    }
}
