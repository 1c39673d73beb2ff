public import Bellerophon

/// The clock of tests: time passes only when the test says so.
public typealias ManualClock = DrivenClock
