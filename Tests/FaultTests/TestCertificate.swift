/// A self-signed certificate with its key, for local test servers. The key protects nothing.
enum TestCertificate: String, CaseIterable {
    /// For `localhost` and 127.0.0.1, until 2120.
    case good
    /// For `other.example`, until 2120.
    case otherName
    /// For `localhost` and 127.0.0.1, expired in January 2020.
    case expired

    var text: String {
        switch self {
        case .good:
            """
            -----BEGIN CERTIFICATE-----
            MIIBVDCB/KADAgECAgECMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWxvY2FsaG9z
            dDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFDESMBAGA1UEAwwJ
            bG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEcSPgLjGEczBqEzqe
            D2DmcwWI24s5v80C6hXjqNpos6MdIGRk+4zRiWYnqJeRRtY0uIaTCy8zeARK5yYI
            2YeIWaM9MDswGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMB0GA1UdDgQWBBR2
            v4S/4fmLYR1hSt8isIMtc6uEgTAKBggqhkjOPQQDAgNHADBEAiBs2tPoxfwNOKxP
            dVLx9Ix9tIqMq0DxLOEbSQraIMcEcwIgBq08HPEWwqBVaXED1dFZiaY/j1cHfauF
            8AUJS99FjqA=
            -----END CERTIFICATE-----
            """
        case .otherName:
            """
            -----BEGIN CERTIFICATE-----
            MIIBUjCB+qADAgECAgEDMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWxvY2FsaG9z
            dDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFDESMBAGA1UEAwwJ
            bG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEcSPgLjGEczBqEzqe
            D2DmcwWI24s5v80C6hXjqNpos6MdIGRk+4zRiWYnqJeRRtY0uIaTCy8zeARK5yYI
            2YeIWaM7MDkwGAYDVR0RBBEwD4INb3RoZXIuZXhhbXBsZTAdBgNVHQ4EFgQUdr+E
            v+H5i2EdYUrfIrCDLXOrhIEwCgYIKoZIzj0EAwIDRwAwRAIgcmR+HeZAL5qV/Ulv
            A58CYRWqfIWX3TlHoD2iZoFB9AgCIDeYHh0S5JNV9UFqewIGiwAnPJj0+Frl5dYc
            lDvPcCA8
            -----END CERTIFICATE-----
            """
        case .expired:
            """
            -----BEGIN CERTIFICATE-----
            MIIBUzCB+qADAgECAgEEMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWxvY2FsaG9z
            dDAeFw0yMDAxMDEwMDAwMDBaFw0yMDAyMDEwMDAwMDBaMBQxEjAQBgNVBAMMCWxv
            Y2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABHEj4C4xhHMwahM6ng9g
            5nMFiNuLOb/NAuoV46jaaLOjHSBkZPuM0YlmJ6iXkUbWNLiGkwsvM3gESucmCNmH
            iFmjPTA7MBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAdBgNVHQ4EFgQUdr+E
            v+H5i2EdYUrfIrCDLXOrhIEwCgYIKoZIzj0EAwIDSAAwRQIgIw+T8sgRjTwv8kBI
            kW7WaiVm3u/7/ugzluqPLRvNPsACIQDYsEXQLNYrQOxoYpTn67BxrRh0dkaolQxr
            zKWJ9JEQBw==
            -----END CERTIFICATE-----
            """
        }
    }

    static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQJWXNgWOFf+KbbfV
        ZXNMRhq0Dt3ULrRjiVzWnhAeuEyhRANCAARxI+AuMYRzMGoTOp4PYOZzBYjbizm/
        zQLqFeOo2mizox0gZGT7jNGJZieol5FG1jS4hpMLLzN4BErnJgjZh4hZ
        -----END PRIVATE KEY-----
        """
}
