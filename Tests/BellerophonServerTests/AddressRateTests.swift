import BellerophonStore
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import BellerophonServer

/// The limit of requests per second for one address.
struct AddressRateTests {
    private let key: AddressKey
    private let other: AddressKey
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    init() throws {
        key = try #require(AddressKey("192.0.2.1"))
        other = try #require(AddressKey("192.0.2.2"))
    }

    @Test("An address may send ten seconds of requests at once and then its rate")
    func addressRateAllowsBurst() {
        let rates = AddressRates()
        for _ in 1...50 { #expect(rates.admit(key, rate: 5, at: start) == nil) }
        #expect(rates.admit(key, rate: 5, at: start) == 1)
        #expect(rates.admit(other, rate: 5, at: start) == nil, "another address is not affected")
        #expect(rates.admit(key, rate: 5, at: start + .milliseconds(199)) == 1)
        #expect(rates.admit(key, rate: 5, at: start + .milliseconds(200)) == nil)
        #expect(rates.admit(key, rate: 5, at: start + .milliseconds(200)) == 1)
        for _ in 1...50 { #expect(rates.admit(key, rate: 5, at: start + .seconds(100)) == nil) }
        #expect(rates.admit(key, rate: 5, at: start + .seconds(100)) == 1, "no more than ten seconds' worth is saved up")
    }

    @Test func aClockThatStandsStillGivesNothing() {
        let rates = AddressRates()
        for _ in 1...10 { #expect(rates.admit(key, rate: 1, at: start) == nil) }
        #expect(rates.admit(key, rate: 1, at: start - .seconds(100)) != nil)
        #expect(rates.admit(key, rate: 1, at: start) == 1)
    }

    @Test func addressesThatAreFullAgainMakeRoom() throws {
        let rates = AddressRates()
        func address(_ number: Int) throws -> AddressKey {
            try #require(AddressKey("10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"))
        }
        for number in 0..<65_536 { _ = rates.admit(try address(number), rate: 1, at: start) }
        #expect(rates.count == 65_536)
        for _ in 1...10 { _ = rates.admit(try address(1), rate: 1, at: start + .seconds(1)) }
        _ = rates.admit(key, rate: 1, at: start + .seconds(2))
        #expect(rates.count == 2, "the one that sends too much is remembered")
        #expect(rates.admit(try address(1), rate: 1, at: start + .seconds(1)) == 1)
    }

    @Test("Excess requests get HTTP 429 with Retry-After, while publishing still works")
    func excessGetsRetryAfter() async throws {
        func change(_ configuration: inout ServerConfiguration) {
            configuration.limits.requestsPerAddress = 1
            configuration.limits.exemptsLoopback = false
        }
        try await LiveServer.run(change) { live in
            let token = try await live.token()
            await live.server.refresh()
            try await live.talk { client in
                var answers: [WireAnswer] = []
                // More than ten seconds' worth at once, and more than the machine gives back meanwhile.
                while answers.last?.code != 429, answers.count < 100_000 {
                    answers.append(try client.answer(to: "/status"))
                }
                let last = try #require(answers.last)
                #expect(answers.count > 10 && last.code == 429 && last.problem == .tooManyRequests)
                #expect(last.field("Retry-After") == "1")
                #expect(last.field("Connection") == nil, "the connection can be used again")
                let publish = try client.put("/status", #"{"action":"kill"}"#, token: token)
                #expect(publish.code == 201, "an operator publishes from the same address: \(publish)")
            }
        }
    }
}
