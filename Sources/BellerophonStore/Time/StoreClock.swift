import Foundation

/// The clocks of a machine.
package struct StoreClock: Sendable {
    /// The clock that people, time services and programs set.
    let wall: @Sendable () -> Date
    /// Milliseconds since the machine's start, with the time that it has slept. Nobody sets it.
    let steady: @Sendable () -> Int64
    /// What identifies this run of the machine, as 32 hexadecimal digits; nil if the system does not provide it.
    let boot: String?
    /// The clock of the database, as it was read. Tests replace it.
    let database: @Sendable (Date) -> Date

    package init(
        wall: @escaping @Sendable () -> Date, steady: @escaping @Sendable () -> Int64, boot: String? = nil,
        database: @escaping @Sendable (Date) -> Date = { $0 }
    ) {
        (self.wall, self.steady, self.boot, self.database) = (wall, steady, boot, database)
    }

    package static let system = StoreClock(wall: { Date() }, steady: systemSteady, boot: systemBoot)

    /// Every clock shows the same, that of the database too.
    package static func still(_ now: @escaping @Sendable () -> Date) -> StoreClock {
        StoreClock(wall: now, steady: { now().milliseconds }, database: { _ in now() })
    }

    /// Both clocks at one moment. A process can be stopped between the two.
    var reading: AgreedTime.Reading {
        for _ in 0..<5 {
            let before = steady()
            let wall = wall().milliseconds
            if steady() - before <= 100 { return .init(wall: wall, steady: before) }
        }
        return .init(wall: wall().milliseconds, steady: steady())
    }

    /// `CLOCK_BOOTTIME` is the clock of `ContinuousClock` on Linux. `CLOCK_MONOTONIC` runs on during sleep on Apple's systems
    /// only.
    private static func systemSteady() -> Int64 {
        #if canImport(Darwin)
        let clock = CLOCK_MONOTONIC
        #else
        let clock = CLOCK_BOOTTIME
        #endif
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// The variable that identifies the run of the machine where the system hides its own file, as it does from a service with
    /// `ProcSubset=pid`. systemd writes the value as `%b`.
    package static let bootVariable = "BELLEROPHON_BOOT_ID"

    private static let systemBoot: String? = {
        #if canImport(Darwin)
        var text = [CChar](repeating: 0, count: 64)
        var size = text.count - 1
        let found = sysctlbyname("kern.bootsessionuuid", &text, &size, nil, 0) == 0
        let system = found ? String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
        #else
        let system = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        #endif
        return boot(system: system, variable: ProcessInfo.processInfo.environment[bootVariable])
    }()

    /// What identifies this run of the machine: 128 bits in hexadecimal, with or without hyphens, of which the system's own count
    /// first. Every process of the machine gets the same digits, whether it reads the one or the other.
    static func boot(system: String?, variable: String?) -> String? {
        [system, variable].lazy.compactMap { text in
            let digits = (text ?? "").trimmingCharacters(in: .whitespacesAndNewlines).lowercased().filter { $0 != "-" }
            return digits.utf8.count == 32 && digits.allSatisfy(\.isHexDigit) ? digits : nil
        }.first
    }
}
