import Barricade
import CloudBox
import Foundation
import TestSupport
import Testing

@Suite("The original's protocol")
struct ContractTests {
    @Test(arguments: ["4", "\"4\""])
    func isSpokenWithItsServerAsItIs(v: String) async throws {
        let server = try OriginalServer(["MyResource.js": (v: v, text: "alert(1)")])
        let it = try Box(
            [server.url], registering: "MyResource.js", bundled: .embedded(["MyResource.js": .init(version: 3, text: "old")]))
        #expect(await it.box.sync("MyResource.js") == .updated(version: 4, from: 3, received: 8))
        #expect(try it.text("MyResource.js") == "alert(1)")
        #expect(await it.box.sync("MyResource.js") == .unchanged(version: 4))
        #expect(
            server.http.requests.map(\.path) == [
                "/GBCloudBoxResourcesMeta/MyResource.js", "/GBCloudBoxResourcesData2/MyResource.js",
                "/GBCloudBoxResourcesMeta/MyResource.js",
            ])
    }

    @Test func letsAMetaNameAnExternalFile() async throws {
        let files = try HostileServer(.answer(Answer(type: "text/javascript", text: "far")))
        let address = files.url("/files/ExternalResource.js").absoluteString
        let server = try OriginalServer([:], external: ["ExternalResource.js": (v: "3", url: address)])
        let it = try Box([server.url], registering: "ExternalResource.js")
        #expect(await it.box.sync("ExternalResource.js") == .updated(version: 3, from: nil, received: 3))
    }

    @Test("A file's own version applies when the manifest states no digest")
    func fileVersionOverridesManifest() async throws {
        let server = try ResourceServer(["a": .init(version: 2, "two")])
        server["a"]?.statesDigests = false
        server["a"]?.statesSize = false
        server["a"]?.fileVersion = "5"
        let it = try Box([server.url], registering: "a")
        #expect(await it.box.sync("a") == .updated(version: 5, from: nil, received: 3))
        server["a"]?.version = 6
        server["a"]?.fileVersion = "soon"
        #expect(await it.box.sync("a").reason == .badVersion("soon"))
        #expect(try it.box.facts(for: "a").version == 5)
    }

    @Test(arguments: [
        (#"{"v":-1,"url":"/x"}"#, "v: a version is a whole number from 0 on, or its digits as text"),
        (#"{"v":1.5,"url":"/x"}"#, "v: a version is a whole number from 0 on, or its digits as text"),
        (#"{"v":true,"url":"/x"}"#, "v: a version is a whole number from 0 on, or its digits as text"),
        (#"{"v":"99999999999999999999","url":"/x"}"#, "v: a version is a whole number from 0 on, or its digits as text"),
        (#"{"v":1}"#, "the document has no \"url\""),
        (#"{"v":1,"url":"ftp://a/b"}"#, "url is not an http or https address"),
        (#"{"v":1,"url":"http://a%1b/b"}"#, "url has no usable host"),
        (#"{"v":1,"url":"http:///b"}"#, "url has no usable host"),
        (#"{"v":1,"url":"/x","md5":"zz"}"#, "md5 is not 32 hexadecimal digits"),
        (#"{"v":1,"url":"/x","size":-5}"#, "size is below 0"),
    ])
    func hasItsNonsenseRefusedWithAReason(document: String, problem: String) async throws {
        let server = try HostileServer(.json(document))
        let it = try Box([server.url("/")], registering: "a")
        #expect(await it.box.sync("a").reason == .badMeta(problem))
        #expect(server.requests.count == 1)
    }

    @Test("Manifests are requested below the server's own path at the configured path")
    func metaPathIsConfigurable() async throws {
        let server = try HostileServer(.failure(404))
        let folder = try TestFolder()
        let box = CloudBoxClient(
            CloudBoxConfiguration(
                folder: folder.url, servers: [server.url("/apps/one")], metaPath: "meta/v2"
            ))
        try box.register("a.b")
        #expect(await box.sync("a.b").reason == .httpStatus(404))
        #expect(server.requests.map(\.path) == ["/apps/one/meta/v2/a.b"])
    }

    @Test func canBeAnsweredByABarricade() async throws {
        let barricade = BarricadeServer()
        barricade.stub(
            "meta", where: RequestMatch(path: "/GBCloudBoxResourcesMeta/a"),
            with: Response("meta", text: #"{"v":2,"url":"https://cloud.example/file"}"#)
        )
        barricade.stub("file", where: RequestMatch(path: "/file"), with: Response("file", text: "simulated"))
        let folder = try TestFolder()
        let server = try #require(URL(string: "https://cloud.example"))
        let box = CloudBoxClient(
            CloudBoxConfiguration(
                folder: folder.url, servers: [server], sessionConfiguration: { barricade.configuration }
            ))
        try box.register("a")
        #expect(await box.sync("a") == .updated(version: 2, from: nil, received: 9))
        #expect(try box.data(for: "a") == Data("simulated".utf8))
    }
}
