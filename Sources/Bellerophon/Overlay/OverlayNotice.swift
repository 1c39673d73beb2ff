import Foundation
package import StatusModel

/// What a person is told in one line while the program runs, as a value. The manager decides when it is shown.
///
/// All text is sanitised. The same notice always results in the same words.
public struct OverlayNotice: Equatable, Sendable {
    /// How much of the notice is shown.
    package enum Form: Equatable, Sendable {
        /// The words in one line.
        case line
        /// One cell that says that there is a notice.
        case mark
    }

    /// The rule that tells something, or that is announced.
    package var rule: Rule
    /// How far the rule is.
    package var phase: Verdict.Notice.Phase
    /// How much is shown.
    package var form = Form.line
    /// The number of other notices that wait behind this one.
    package var others = 0
    /// The message of the rule for this person; nil if it has none.
    package var message: String?
    /// The words of the notice, in the person's language.
    package var phrases: OverlayPhrases
    /// The app that the notice is for.
    package var app: AppInfo
    /// The present time, by which the words say how long it is until the rule begins; nil if they are not to say it.
    package var date: Date?
    /// The time zone for wall-clock times.
    package var timeZone: TimeZone

    /// - Parameter languages: what the person reads, for the message. Without a language the default message applies.
    package init(
        _ notice: Verdict.Notice, app: AppInfo, date: Date?, timeZone: TimeZone,
        languages: LanguagePreference = LanguagePreference([])
    ) {
        rule = notice.rule
        phase = notice.phase
        message = languages.text(notice.rule.message, or: notice.rule.messages)
        phrases = OverlayPhrases(languages)
        self.app = app
        self.date = date
        self.timeZone = timeZone
    }
}
