import Testing

@testable import BellerophonServer

@Suite struct HTTPDateTests {
    @Test(
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (-5, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"), (.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] as [(Int64, String)])
    func asHTTPWritesIt(seconds: Int64, text: String) {
        #expect(HTTPDate.text(seconds) == text)
    }
}
