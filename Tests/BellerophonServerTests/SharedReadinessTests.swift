import NIOCore
import Testing

@testable import BellerophonServer
@testable import BellerophonStore

/// A server of a shared store says that it is ready only if it has every row.
struct SharedReadinessTests {
    private func readiness(
        _ contact: SharedContact, writeProblem: String? = "a write fails", at now: ContinuousClock.Instant = .now
    ) -> Readiness {
        Readiness(
            isInPlace: true, isReadable: true, lookAge: .seconds(0), writeProblem: writeProblem, shared: contact, at: now)
    }

    @Test func aServerThatHasEveryRowIsReady() {
        var contact = SharedContact()
        let now = ContinuousClock.now
        contact.reached(asked: now - .seconds(10))
        #expect(readiness(contact, writeProblem: nil, at: now).isReady)
        contact.reached(asked: now - .seconds(11))
        #expect(
            readiness(contact, writeProblem: nil, at: now).reasons == ["the shared journal was not looked at for 11 s"])
    }

    @Test("Readiness reasons of a shared store contain no paths and no addresses")
    func readinessHidesAddresses() {
        var contact = SharedContact()
        #expect(readiness(contact).reasons == ["the shared store is out of reach"], "it was not reached yet")
        contact.problem = SharedProblem(StoreError(.full, "the disk that holds /srv/copy is full"))
        #expect(
            readiness(contact).reasons == [
                "new rows of the shared journal can't be taken: the disk of this server's copy is full"
            ])
        contact.problem = SharedProblem(
            StoreError(.newerStore, "the shared journal has changes that this version does not know"))
        #expect(
            readiness(contact).reasons == [
                "new rows of the shared journal can't be taken: they need a newer bellerophon-server"
            ])
        contact.problem = SharedProblem(StoreError(.unconfirmed, "db.example.com does not answer"))
        #expect(readiness(contact).reasons == ["a standby of the shared store does not confirm the newest rows"])
        contact.problem = SharedProblem(StoreError(.damaged, "/srv/copy has rows up to 7"), isDiverged: true)
        #expect(
            readiness(contact).reasons == [
                "this server's copy has rows that the shared journal does not have; a person has to decide"
            ])
    }
}
