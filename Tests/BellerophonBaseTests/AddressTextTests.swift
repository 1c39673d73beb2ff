import BellerophonBase
import Testing

/// Addresses in messages.
@Suite struct AddressTextTests {
    @Test(arguments: [
        ("https://ada:s3cret@a.example/x", "https://…@a.example/x"), ("https//ada:s3cret@a.example", "…@a.example"),
        ("https://a.example/x", "https://a.example/x"), ("ada:s3cret@a.example://", "…@a.example://"),
        ("postgresql://ada:s3c/r@t@h/d", "postgresql://…@h/d"),
    ])
    func anAddressIsShownWithoutItsPassword(address: String, shown: String) {
        #expect(AddressText.withoutPassword(address) == shown)
    }

    /// A slash in a password ends the host for libpq, which then takes the first part for a port.
    @Test func aMessageDoesNotRepeatPartsOfThePassword() {
        let address = "postgresql://ada:s3/cret@a.example/db"
        #expect(
            AddressText.message("invalid port number: \"s3\" in \"cret@a.example\"", about: address)
                == "invalid port number: \"…\" in \"…@a.example\"")
        #expect(AddressText.message("no route to host", about: address) == "no route to host")
        #expect(AddressText.message("no route to db", about: "postgresql:///db") == "no route to db")
    }
}
