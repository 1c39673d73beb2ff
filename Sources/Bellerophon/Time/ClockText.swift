import BellerophonBase
package import Foundation

/// Formats times and sizes for people who watch them.
package enum ClockText {
    /// The time of day: `14:02:11`.
    package static func time(_ date: Date, in zone: TimeZone) -> String {
        let seconds = (date.timeIntervalSince1970 + Double(zone.offset(at: date))).rounded(.down)
        guard seconds.isFinite, abs(seconds) < 1e12 else { return "--:--:--" }
        let day = ((Int(seconds) % 86_400) + 86_400) % 86_400
        return "\(two(day / 3600)):\(two(day / 60 % 60)):\(two(day % 60))"
    }

    /// A countdown, rounded up so that it ends at zero: `00:09`, `59:59`, `1:00:00`.
    package static func countdown(_ remaining: Duration) -> String {
        let seconds = Int(min(max(remaining.inSeconds.rounded(.up), 0), 359_999))
        let hours = seconds / 3600
        return (hours > 0 ? "\(hours):" : "") + "\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }

    /// A duration for a column: `9s`, `3m31s`, `2h05m`, `3d04h`.
    package static func compact(_ duration: Duration) -> String {
        let seconds = Int(min(max(duration.inSeconds, 0), 8e9))
        if seconds >= 86_400 { return "\(seconds / 86_400)d\(two(seconds / 3600 % 24))h" }
        if seconds >= 3600 { return "\(seconds / 3600)h\(two(seconds / 60 % 60))m" }
        return seconds >= 60 ? "\(seconds / 60)m\(two(seconds % 60))s" : "\(seconds)s"
    }

    /// A latency: `41 ms`, `2.4 s`.
    package static func latency(_ duration: Duration) -> String {
        let milliseconds = max(0, duration.inSeconds * 1000)
        if milliseconds < 999.5 { return "\(Int(milliseconds.rounded())) ms" }
        let tenths = Int(min(milliseconds / 100, 1e9).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }

    /// A size in bytes: `78 B`, `12.4 KB`.
    package static func bytes(_ count: Int) -> String {
        if count < 1000 { return "\(max(0, count)) B" }
        let tenths = count / 100
        return tenths < 10_000 ? "\(tenths / 10).\(tenths % 10) KB" : "\(tenths / 10_000).\(tenths / 1000 % 10) MB"
    }

    /// Seconds as a server requested them: `-3 s`, `0.5 s`, `1e+300 s`, `nan s`.
    package static func requested(_ seconds: Double) -> String {
        if let whole = Int(exactly: seconds), abs(whole) < 1_000_000_000 { return "\(whole) s" }
        return "\(seconds) s"
    }

    private static func two(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
