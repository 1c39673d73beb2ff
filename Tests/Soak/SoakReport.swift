/// The counts of a run, and its resource use early and at its end.
struct SoakReport {
    let seed: UInt64
    var days = 0.0
    var awakeHours = 0.0
    var steps = 0
    var checks = 0
    var failedChecks = 0
    var pushes = 0
    var transitions = 0
    var dismissals = 0
    var restarts = 0
    var sleeps = 0
    var suspensions = 0
    var early = ProcessFigures()
    var late = ProcessFigures()

    var json: String {
        let fields: [(String, any CustomStringConvertible)] = [
            ("seed", seed), ("days", days), ("awakeHours", awakeHours.rounded()), ("steps", steps), ("checks", checks),
            ("failedChecks", failedChecks), ("pushes", pushes), ("transitions", transitions),
            ("dismissals", dismissals), ("restarts", restarts), ("sleeps", sleeps), ("suspensions", suspensions),
            ("earlyKiB", early.resident), ("lateKiB", late.resident),
            ("earlyDescriptors", early.descriptors), ("lateDescriptors", late.descriptors),
        ]
        return "{" + fields.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }
}

/// A violated invariant.
struct Violation: Error, CustomStringConvertible {
    let seed: UInt64
    let step: Int
    let day: Double
    let what: String

    var description: String {
        "seed \(seed), step \(step), day \(day): \(what)\nAgain, with what came before: Soak \(day.rounded(.up) + 1) \(seed)@\(step)"
    }
}
