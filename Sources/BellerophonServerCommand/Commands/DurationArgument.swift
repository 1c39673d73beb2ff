import ArgumentParser
import BellerophonBase

/// Reads durations of the command line, all in the same forms.
enum DurationArgument {
    /// The seconds of a duration, for an option that the parser names in the error.
    static func seconds(_ text: String) throws -> Double {
        guard let duration = Duration(written: text) else { throw ValidationError("expected \(Duration.writtenForms)") }
        return duration.inSeconds
    }

    /// The seconds of a duration, rounded up to whole ones.
    static func wholeSeconds(_ text: String) throws -> Int64 { Int64(try seconds(text).rounded(.up)) }
}
