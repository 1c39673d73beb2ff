public import Foundation
import StatusModel
public import TerminalUI

/// Everything that an overlay displays, as a value. The same content always results in the same frame.
///
/// All text is sanitised.
public struct OverlayContent: Equatable, Sendable {
    /// `.killed` or `.updateRequired`.
    public var stage: Stage
    /// The app that the overlay covers.
    public var app: AppInfo
    /// The source of the status for display: `demo.local/status`.
    public var source: String
    /// The host that the message is from: `demo.local`.
    public var host: String
    /// The values of the optional fields of the status, with the app's own link if the status has none.
    package var facts: StatusFacts
    /// The countdown to the next check or connection; nil during a check and while a stream is live.
    public var countdown: Countdown?
    /// The number of checks since the app was covered, including the first.
    public var attempt: Int
    /// The last valid reply; nil while the stage is based on the last known status of an earlier run.
    public var lastAnswer: Answer?
    /// When the stage began, by the wall clock.
    public var since: Date?
    /// The next scheduled check, with its wait and the origin of the wait; nil if none is scheduled.
    package var interval: NextCheck?
    /// The number of consecutive failed checks.
    public var failures: Int
    /// Why the last check failed, in the person's language; nil after a valid reply.
    public var failure: String?
    /// Why it failed in detail, in English; nil if only ``failure`` is known.
    package var failureDetail: String?
    /// What is wrong with the address of the status, if that is why the last check failed.
    package var addressProblem: AddressProblem?
    /// Whether a barricade simulates the server.
    public var isSimulated: Bool
    /// Problems to display, such as an unreadable message in the status or a failed save.
    public var remarks: [String]
    /// The time zone for wall-clock times.
    public var timeZone: TimeZone
    /// The current wall-clock time. A time far from it is displayed with its date.
    public var date: Date?
    /// Whether a stream is live. The server then pushes changes immediately, and there is no countdown.
    public var isListening = false
    /// Whether the view stands still between two changes; see ``BellerophonConfig/reducesMotion``.
    public var reducesMotion = false
    /// Whether the title is in large letters where there is room; see ``BellerophonConfig/usesLargeTitles``.
    public var usesLargeTitles = true
    /// The words of the views, in the person's language; see ``BellerophonConfig/languages``.
    public var phrases = OverlayPhrases.english
    /// The basis and the age of the status.
    public var standing = StatusStanding()
    /// Why the view is there, and when that changes; nil if no status says it.
    package var verdict: Verdict?
    /// What the plan of the status says; nil if the status has none.
    package var plan: PlanReport?
    /// The time by which the phases of rules begin and end; nil if it is not known.
    package var planDate: Date?
    /// What the person is told beside the cover; nil for nothing.
    package var notice: OverlayNotice?
    /// How a required update can be had; nil if that is not looked for.
    package var update: UpdateReport?
    /// What happens to the program under the view. Managed by a window that covers another process.
    package var program = CoveredProgram.own
    /// Everything that the program has started; nil if it is not known. Managed by a window that covers another process.
    package var tree: ProgramTreeFacts?
    /// The stop on this machine; nil without one. Managed by a window that covers another process.
    package var localStop: LocalStop?
    /// What the person at the terminal has opened. Managed by the window.
    public var presentation = OverlayPresentation()

    /// Creates content. ``isListening``, ``reducesMotion``, ``usesLargeTitles``, ``standing``
    /// and ``presentation`` have their defaults.
    public init(
        stage: Stage, app: AppInfo, source: String, host: String, message: String? = nil,
        requiredVersion: String? = nil, link: String? = nil, countdown: Countdown? = nil,
        attempt: Int = 1, lastAnswer: Answer? = nil, since: Date? = nil,
        failures: Int = 0, failure: String? = nil, isSimulated: Bool = false, remarks: [String] = [],
        timeZone: TimeZone = .current, date: Date? = nil
    ) {
        self.stage = stage
        self.app = app
        self.source = source
        self.host = host
        facts = StatusFacts([.message: message, .requiredVersion: requiredVersion, .link: link])
        self.countdown = countdown
        self.attempt = attempt
        self.lastAnswer = lastAnswer
        self.since = since
        self.failures = failures
        self.failure = failure
        self.isSimulated = isSimulated
        self.remarks = remarks
        self.timeZone = timeZone
        self.date = date
    }

    /// The message of the status; nil if there is none.
    public var message: String? {
        get { facts[.message] }
        set { facts[.message] = newValue }
    }

    /// The version that the status requires; nil if it names none.
    public var requiredVersion: String? {
        get { facts[.requiredVersion] }
        set { facts[.requiredVersion] = newValue }
    }

    /// The address of the update: from the status, otherwise from the app.
    public var link: String? {
        get { facts[.link] }
        set { facts[.link] = newValue }
    }

    /// The basis, age and security of a status.
    public struct StatusStanding: Equatable, Sendable {
        /// What the stage is based on.
        public var basis = StageBasis.status
        /// The time since the server last confirmed the status; nil if no status is known.
        public var age: Duration?
        /// Whether ``age`` is over the limit (``FreshnessPolicy/maximumAge``).
        public var isStale = false
        /// The verified claims of the signature; nil for an unsigned status.
        public var proof: StatusProof?
        /// The transport security of the source; nil if it uses no network or is simulated.
        public var security: TransportSecurity?
        /// How slow this machine's clock is, if the status counts although it is ahead of that clock; nil otherwise.
        package var clockLag: Duration?

        /// Creates the standing of a valid status of this run.
        public init() {}
    }

    /// The remaining part of a wait.
    public struct Countdown: Equatable, Sendable {
        /// The remaining time; not negative.
        public var remaining: Duration
        /// The whole wait.
        public var total: Duration

        /// Creates a countdown.
        public init(remaining: Duration, total: Duration) {
            self.remaining = remaining
            self.total = total
        }
    }

    /// The last valid reply and its age.
    public struct Answer: Equatable, Sendable {
        /// When the reply arrived, by the wall clock.
        public var date: Date
        /// The time since the reply arrived.
        public var age: Duration
        /// The metadata of the exchange; nil if the app's own code fetched the status.
        public var metadata: ExchangeMetadata?

        /// Creates an entry for a valid reply.
        public init(date: Date, age: Duration, metadata: ExchangeMetadata?) {
            self.date = date
            self.age = age
            self.metadata = metadata
        }
    }
}

/// What the person at the terminal has opened on an overlay.
public struct OverlayPresentation: Equatable, Sendable {
    /// A page of the overlay.
    public enum Page: Equatable, Sendable {
        /// The message and the countdown.
        case status
        /// The facts about the status and the last checks.
        case details
        /// The list of keys.
        case help
    }
    /// The page that is shown. Default: `.status`.
    public var page = Page.status
    /// The index of the first visible line of the message.
    public var scroll = 0
    /// A temporary notice, such as "message copied".
    public var notice: String?
    /// Whether keys do nothing yet, because the view has just come up. A footer must not name keys meanwhile.
    public var ignoresKeys = false
    /// Keys of an accessory on the overlay, with texts for the footer and the help page.
    package var accessoryKeys: [KeyHint] = []
    /// The characters that the terminal draws. Other drawings may suit ASCII than a character-by-character replacement.
    public var glyphs = GlyphStyle.unicode

    /// Creates the initial state: the status page, not scrolled.
    public init() {}
}
