public import Foundation
import StatusModel
public import TerminalUI

/// All that an overlay draws, as a value: the same content always gives the same frame.
///
/// Every text in it is sanitised.
public struct OverlayContent: Equatable, Sendable {
    /// `.killed` or `.updateRequired`.
    public var stage: Stage
    public var app: AppInfo
    /// Where the status comes from, as a person reads it: `demo.local/status`.
    public var source: String
    /// The host that a message is from: `demo.local`.
    public var host: String
    public var message: String?
    /// The version that the status requires, where it says so.
    public var requiredVersion: String?
    /// Where to get the update: from the status, else from the app.
    public var link: String?
    /// The countdown to the next check; nil while a check is under way.
    public var countdown: Countdown?
    /// Checks since the app was covered, the first included.
    public var attempt: Int
    /// The last valid answer; nil while the stage rests on the last known status of an earlier run.
    public var lastAnswer: Answer?
    /// When the stage began, by the wall clock.
    public var since: Date?
    /// The wait that was scheduled last, and who set it.
    public var interval: NextCheck?
    /// Failed checks in a row.
    public var failures: Int
    /// Why the last check failed; nil after a valid answer.
    public var failure: String?
    /// Whether a barricade answers in the server's place.
    public var isSimulated: Bool
    /// Remarks on the status document: a clamp, a message that could not be read.
    public var remarks: [String]
    /// Used to print wall-clock times.
    public var timeZone: TimeZone
    /// The present by the wall clock: a time of day far from it is printed with its date.
    public var date: Date?
    /// A stream lives: the view comes and goes the moment the server says so, and there is no countdown.
    public var isListening = false
    /// How far the status is to be relied on.
    public var standing = StatusStanding()
    /// What the person at the terminal has opened. The window owns it.
    public var presentation = OverlayPresentation()

    public init(
        stage: Stage, app: AppInfo, source: String, host: String, message: String? = nil,
        requiredVersion: String? = nil, link: String? = nil, countdown: Countdown? = nil,
        attempt: Int = 1, lastAnswer: Answer? = nil, since: Date? = nil, interval: NextCheck? = nil,
        failures: Int = 0, failure: String? = nil, isSimulated: Bool = false, remarks: [String] = [],
        timeZone: TimeZone = .current, date: Date? = nil
    ) {
        self.stage = stage
        self.app = app
        self.source = source
        self.host = host
        self.message = message
        self.requiredVersion = requiredVersion
        self.link = link
        self.countdown = countdown
        self.attempt = attempt
        self.lastAnswer = lastAnswer
        self.since = since
        self.interval = interval
        self.failures = failures
        self.failure = failure
        self.isSimulated = isSimulated
        self.remarks = remarks
        self.timeZone = timeZone
        self.date = date
    }

    /// How far a status is to be relied on.
    public struct StatusStanding: Equatable, Sendable {
        /// What the stage rests on.
        public var basis = StageBasis.status
        /// Since the server confirmed the status last; nil where none is known.
        public var age: Duration?
        /// Whether that is longer than a status may be relied on.
        public var isStale = false
        /// What the signature vouches for; nil where there is none.
        public var proof: StatusProof?
        /// Whether others can read and change what the source brings; nil where no network is asked.
        public var security: TransportSecurity?

        public init() {}
    }

    /// The time left to the next check, of the whole wait.
    public struct Countdown: Equatable, Sendable {
        public var remaining: Duration
        public var total: Duration

        public init(remaining: Duration, total: Duration) {
            self.remaining = remaining
            self.total = total
        }
    }

    /// A valid answer and how old it is.
    public struct Answer: Equatable, Sendable {
        public var date: Date
        public var age: Duration
        public var receipt: ExchangeMetadata?

        public init(date: Date, age: Duration, receipt: ExchangeMetadata?) {
            self.date = date
            self.age = age
            self.receipt = receipt
        }
    }
}

/// What is open on an overlay.
public struct OverlayPresentation: Equatable, Sendable {
    public enum Page: Equatable, Sendable { case status, details, help }
    public var page = Page.status
    /// The first line of the message that is shown.
    public var scroll = 0
    /// A passing remark: "message copied".
    public var notice: String?
    /// Keys of an accessory that stands on the overlay, with words for the footer and the help page.
    public var accessoryKeys: [KeyHint] = []

    public init() {}
}

/// What the app says of itself.
public struct AppInfo: Equatable, Sendable {
    public var name: String
    /// The installed version, where known.
    public var version: String?
    /// Where a newer version is to be had, when the status doesn't say. `http` or `https`.
    public var link: String?
    /// The shell command that updates the app. It comes from the app or its configuration, never from a status.
    public var updateCommand: String?

    public init(name: String, version: String? = nil, link: String? = nil, updateCommand: String? = nil) {
        self.name = name
        self.version = version
        self.link = link
        self.updateCommand = updateCommand
    }

    /// The name of the running program, and nothing else known.
    public static var current: AppInfo { AppInfo(name: ProcessInfo.processInfo.processName) }
}
