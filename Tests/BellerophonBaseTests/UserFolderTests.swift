import BellerophonBase
import Foundation
import Testing

@Suite struct UserFolderTests {
    @Test(arguments: [
        (["XDG_STATE_HOME": "/state", "HOME": "/home/ada"], "/state"),
        (["XDG_STATE_HOME": "relative", "HOME": "/home/ada"], "/home/ada/.local/state"),
        (["XDG_STATE_HOME": "", "HOME": "/home/ada"], "/home/ada/.local/state"),
        (["HOME": "/home/ada"], "/home/ada/.local/state"),
    ])
    func onlyAnAbsoluteVariableCounts(environment: [String: String], path: String) {
        #expect(UserFolder.state.url(environment).path == path)
    }

    @Test func eachFolderHasItsVariableAndItsPlace() {
        let named = ["XDG_CONFIG_HOME": "/config", "XDG_CACHE_HOME": "/cache"]
        #expect(UserFolder.configuration.url(named).path == "/config")
        #expect(UserFolder.cache.url(named).path == "/cache")
        #expect(UserFolder.configuration.url(["HOME": "/h"]).path == "/h/.config")
        #expect(UserFolder.cache.url(["HOME": "/h"]).path == "/h/.cache")
    }

    @Test("Without a valid HOME the home folder of the user account is used")
    func missingHomeUsesAccount() {
        #expect(UserFolder.cache.url(["HOME": "nowhere"]).path.hasPrefix("/"))
    }

    /// Files of earlier versions have these names.
    @Test func aFingerprintStaysTheSame() {
        #expect("".fingerprint == "cbf29ce484222325")
        #expect("a".fingerprint == "af63dc4c8601ec8c")
        #expect("http://127.0.0.1:8080/status".fingerprint.count <= 16)
    }
}

@Suite struct BroadcastTests {
    @Test func aSequenceHasWhatWasSentSinceItBegan() async {
        let broadcast = Broadcast<Int>(bufferSize: 8)
        broadcast.send(1)
        var numbers = broadcast.stream().makeAsyncIterator()
        broadcast.send(2)
        broadcast.send(3)
        #expect(await numbers.next() == 2)
        #expect(await numbers.next() == 3)
    }

    @Test func aBusyConsumerGetsTheNewest() async {
        let broadcast = Broadcast<Int>(bufferSize: 2)
        var numbers = broadcast.stream().makeAsyncIterator()
        for number in 1...5 { broadcast.send(number) }
        #expect(await numbers.next() == 4)
        #expect(await numbers.next() == 5)
    }

    @Test func itEndsItsSequences() async {
        var broadcast: Broadcast<Int>? = Broadcast(bufferSize: 2)
        var numbers = broadcast!.stream().makeAsyncIterator()
        broadcast = nil
        #expect(await numbers.next() == nil)
    }
}
