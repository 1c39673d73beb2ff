extension Duration {
    /// Seconds as a floating-point number, for drawing and for APIs without `Duration`.
    package var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }

    /// A short text: `41 ms`, `9 s`, `3 m 31 s`, `2 h 5 m`, `3 d 4 h`.
    package var briefText: String {
        let seconds = max(0, inSeconds)
        if seconds < 1 { return "\(Int(seconds * 1000)) ms" }
        let whole = Int(min(seconds, 1e9))
        let (minutes, hours, days) = (whole / 60, whole / 3600, whole / 86400)
        if days > 0 { return "\(days) d \(hours % 24) h" }
        if hours > 0 { return "\(hours) h \(minutes % 60) m" }
        if minutes > 0 { return "\(minutes) m \(whole % 60) s" }
        return "\(whole) s"
    }

    /// A wait in words that need no plural: `45 s`, `14 min`, `2 h 05 min`, `3 d 4 h`. A started minute counts as a whole one.
    package var waitText: String {
        let seconds = Int(min(max(0, inSeconds), 1e9).rounded(.up))
        guard seconds > 60 else { return seconds == 60 ? "1 min" : "\(seconds) s" }
        let minutes = (seconds + 59) / 60
        let (hours, days) = (minutes / 60, minutes / 1440)
        if days > 0 { return "\(days) d \(hours % 24) h" }
        if hours > 0 { return "\(hours) h \(minutes % 60 < 10 ? "0" : "")\(minutes % 60) min" }
        return "\(minutes) min"
    }
}
