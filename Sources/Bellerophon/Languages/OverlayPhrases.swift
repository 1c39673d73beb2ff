import SafeText

/// The words of views, notices and questions in one language.
///
/// Every language has a file beside this one. The initialiser has no defaults, except for the shorter headline of a state, so a
/// missing translation does not compile. A part in braces, such as `{name}`, stands for a value; the phrases of other languages
/// have the same parts as the English ones, in any order. Lists begin with the longest text, and end with one for a very narrow
/// terminal.
public struct OverlayPhrases: Equatable, Sendable {
    /// The language tag (BCP 47).
    public let tag: String
    let plural: PluralRule
    package let states: States
    package let frame: Frame
    package let keys: Keys
    package let status: Status
    package let program: Program
    package let update: Update
    package let ends: Ends
    package let obstacles: Obstacles
    package let terminal: Terminal
    package let questions: Questions
    package let answers: Answers
    package let notices: Notices
    package let lines: Lines
    package let spoken: Spoken
    /// nil in English, in which the description of an error says more.
    let failures: Failures?

    /// A state that covers a program.
    package struct State: Equatable, Sendable {
        package let title: String
        /// A shorter headline for large letters, if there is one.
        package var shortHeadline: String?
        /// The state in one word, for small terminals.
        package let word: String
        /// The state that has not changed while checks fail.
        package let still: String
        /// With `{time}`.
        package let since: String
        /// The text without a message of the server.
        package let own: String
        /// How the view ends; nil if that is not certain.
        package let end: String?

        /// The title in capitals.
        package var headline: String { title.uppercased().replacing("{VERSION}", with: "{version}") }
    }

    package struct States: Equatable, Sendable {
        package let paused: State
        package let closed: State
        package let stopped: State
        package let update: State
        package let broken: State
        /// With `{version}`.
        package let goBack: State
    }

    /// What is around a page.
    package struct Frame: Equatable, Sendable {
        package let simulated: String
        package let installed: String
        package let thisMachine: String
        package let keys: String
        package let keysWait: [String]
        package let helpNote: String
        package let back: String
        package let scroll: String
        package let sizeNeeded: String
        /// After the number of hidden lines.
        let moreLines: Counted
        /// What is wrong with the address of the status, beside it.
        package let unusableAddress: String
        package let unknownHost: String
        package let badCertificate: String
        package let notSecure: String
        package let notFound: String
    }

    /// A key's word in the footer, and its sentence on the help page.
    package struct Key: Equatable, Sendable {
        package let hint: String
        package let help: String
    }

    package struct Keys: Equatable, Sendable {
        package let checkNow: Key
        package let details: Key
        package let copyMessage: Key
        package let openLink: Key
        package let copyLink: Key
        package let update: Key
        package let lookAgain: Key
        package let runCommand: Key
        package let restartingHelp: String
        package let goOn: Key
        package let start: Key
        package let startAgain: String
        package let help: Key
        package let scrollUp: String
        package let scrollDown: String
        package let toStart: String
        package let toEnd: String
        package let close: String
        package let quit: Key
    }

    package struct Status: Equatable, Sendable {
        package let messageFrom: String
        package let reasonBy: String
        package let checking: String
        package let listening: [String]
        package let nextCheckIn: String
        package let nextCheckAt: String
        package let againIn: String
        package let againAt: String
        package let nextTryIn: String
        package let nextTryAt: String
        package let nextIn: String
        package let backAt: String
        package let backAtInside: String
        package let releaseWith: String
        package let stoppedBy: String
        package let fromInside: String
        package let alsoStopped: [String]
        package let failed: Counted
        package let notConfirmed: String
        package let lastRun: String
        package let lastRunAge: String
        package let bundled: String
        package let nothingKnown: String
        /// With `{time}`.
        package let clockSlow: String
    }

    package struct Program: Equatable, Sendable {
        package let own: [String]
        package let busy: [String]
        /// What a busy program shows once its view is gone.
        package let drawsSoon: String
        package let waitsForRelease: String
        package let waitsForStatus: String
        /// The shorter texts for both waits.
        package let notStarted: [String]
        package let running: [String]
        package let paused: [String]
        package let stopped: [String]
        package let ending: [String]
        package let endingAtTime: [String]
        package let inTime: String
        package let atTime: String
        package let notHeld: Counted
        package let notHeldShort: String
        package let pausedBut: [String]
        /// The shorter texts are the last two of ``paused``.
        package let pausedAlone: [String]
        package let others: Counted
        package let pausedWith: [String]
    }

    package struct Update: Equatable, Sendable {
        package let needs: String
        package let orLater: String
        package let installedUnknown: String
        package let getIt: String
        package let run: String
        package let orRun: String
        package let whereYouGotIt: String
        package let source: String
        package let newerVersion: String
        package let looking: String
        package let lookingIn: String
        package let has: String
        package let ready: String
        package let hasOnly: String
        package let hasNone: String
        package let newerRequired: String
        package let required: String
        package let requiredSince: String
        package let problem: String
        package let unclear: String
        package let runIt: String
        package let installedWith: String
        package let getItThere: String
        package let place: String
        package let installedButRuns: String
        package let installed: String
        package let noVersion: String
        package let unmoved: String
        package let unproved: String
        package let failed: String
        package let newVersion: String
        package let broken: String
        package let startAgain: String
        package let leave: String
        package let pinned: String
        package let pinnedRun: String
        package let copyFirst: String
        package let copy: String
        package let lookForNewer: String
        package let tryAgain: String
        package let goOnUntil: String
        package let see: String
    }

    /// How a command ended, as what is said of it. With `{code}`, `{signal}`, `{reason}`, or `{end}` and `{line}`.
    package struct Ends: Equatable, Sendable {
        package let finished: String
        package let notFound: String
        package let exited: String
        package let interrupted: String
        package let signaled: String
        package let unknown: String
        package let notStarted: String
        package let late: String
        package let full: String
        package let notUnderstood: String
        package let withOutput: String
    }

    /// Why it is not known what can be had or is installed, as the end of a sentence that begins with the source.
    package struct Obstacles: Equatable, Sendable {
        package let notAsked: String
        package let commandFailed: String
        package let emptyCommand: String
        package let commandWithoutVersion: String
        package let indexUnreachable: String
        package let indexUntrusted: String
        package let indexCertificate: String
        package let indexReplied: String
        package let incomparable: String
        package let notInstalled: String
        package let unfinished: String
        package let noCommand: String
        package let noVersion: String
        package let missing: String
        package let several: String
        package let ambiguous: String
        package let elsewhere: String
        package let stranger: String
        package let unknownMaintainer: String
        package let cannotInstall: String
        package let tooMany: String
        package let wouldRemove: String
        package let refused: String
    }

    /// What a terminal shows before and after a command that updates a program.
    package struct Terminal: Equatable, Sendable {
        package let looking: String
        package let goesBack: String
        package let otherVersion: String
        package let updatingTo: String
        package let updating: String
        package let otherSession: String
        package let otherProcess: String
        package let waits: String
        package let withoutLock: String
        package let noLock: String
        package let notOwnFolder: String
        package let installedElsewhere: String
        package let command: String
        package let update: String
        package let enter: String
    }

    package struct Questions: Equatable, Sendable {
        package let end: String
        package let endWord: String
        package let notEnded: String
        package let mayLoseWork: String
        package let viewStays: String
        package let run: String
        package let runAndRestart: String
        package let runShort: String
        package let runWord: String
        package let notRun: String
        package let restarts: String
        package let starts: String
        package let start: String
        package let startShort: String
        package let startText: String
        package let installedVersion: String
        package let startWord: String
        package let notStarted: String
        package let open: String
        package let openShort: String
        package let openWord: String
        package let notOpened: String
        package let wait: [String]
        package let anyKey: String
        package let goesBack: String
    }

    /// What is said after a key.
    package struct Answers: Equatable, Sendable {
        package let message: String
        package let link: String
        package let address: String
        package let command: String
        package let nothingToCopy: String
        package let sent: String
        package let noClipboard: String
        package let opening: String
        package let noBrowserCopied: String
        package let noBrowser: String
        package let noLink: String
        package let noCommandFor: String
        package let noCommand: String
        package let tooLong: String
        package let noRoom: String
        package let noRoomSo: String
        package let keysIgnored: String
        package let noMeaning: String
        package let keyWithoutMeaning: String
        package let keyForHelp: String
        package let cannotRestart: String
        package let noFile: String
        package let noPermission: String
        package let cannotStart: String
        package let cannotCover: String
    }

    package struct Notices: Equatable, Sendable {
        package let maintenance: String
        package let available: String
        package let newerAvailable: String
        package let updateRequired: String
        package let inTime: String
    }

    /// Lines for a shell.
    package struct Lines: Equatable, Sendable {
        package let unknown: String
        package let update: String
        package let goBack: String
        package let paused: String
        package let pausedUntil: String
        package let getIt: String
        package let stopped: String
        package let endsWithin: String
        package let notStarted: String
        package let versionRequired: String
        package let waiting: String
        package let asked: String
        package let continues: String
        package let pausedWhole: String
        package let cleared: String
        package let releasedBy: String
        package let wasEnded: String
        package let unreadable: String
        package let silent: String
        package let lastStatus: String
        package let old: String
        package let shippedStatus: String
        package let uncovered: String
        package let unreadTitle: String
        /// No view covers the program.
        package let live: String
    }

    /// Sentences of the text in reading order, for people who do not see the screen.
    package struct Spoken: Equatable, Sendable {
        package let source: String
        package let simulated: String
        package let needs: String
        package let keys: String
        package let checksFail: String
        package let checksSucceed: String
        package let notConfirmed: String
        package let available: String
        package let released: String
        /// The full stop.
        package let stop: String
    }

    /// Why a check failed, as a part of a line.
    struct Failures: Equatable, Sendable {
        let offline: String
        let noConnection: String
        let noName: String
        let cut: String
        let noReply: String
        let noReplyWithin: String
        let insecure: String
        let http: String
        let invalid: String
        let untrusted: String
        let tooLarge: String
        let redirect: String
        let address: String
        let stream: String
        let noStatus: String
        let cancelled: String
    }
}

// MARK: - Values in phrases

extension OverlayPhrases {
    /// A phrase with `{count}`, by the plural category of the number.
    package struct Counted: Equatable, Sendable {
        let one: String
        /// For 2 to 4 in Polish; the same as ``other`` elsewhere.
        let few: String
        let other: String

        /// - Parameter few: nil in a language that has no such form.
        init(one: String, few: String? = nil, other: String) {
            (self.one, self.few, self.other) = (one, few ?? other, other)
        }

        /// In a language whose words do not change with the number.
        init(_ phrase: String) { self.init(one: phrase, other: phrase) }
    }

    /// Which category a whole number has (CLDR).
    enum PluralRule: Equatable, Sendable {
        /// One and other, as in English. Also for a language without a difference, such as Japanese.
        case one
        /// Zero and one are alike, as in French and in the Portuguese of Brazil.
        case zeroAndOne
        /// One, few for numbers that end in 2 to 4 but not in 12 to 14, and other.
        case polish

        func choose(_ phrase: Counted, for count: Int) -> String {
            switch self {
            case .one: return count == 1 ? phrase.one : phrase.other
            case .zeroAndOne: return (0...1).contains(count) ? phrase.one : phrase.other
            case .polish:
                if count == 1 { return phrase.one }
                return (2...4).contains(count % 10) && !(12...14).contains(count % 100) ? phrase.few : phrase.other
            }
        }
    }

    /// The words after a number of hidden lines: `more line`, `more lines`.
    package func moreLines(_ number: Int) -> String { count(number, frame.moreLines) }

    /// The phrase for a number.
    package func count(_ number: Int, _ phrase: Counted) -> String {
        plural.choose(phrase, for: number).with(["count": "\(number)"])
    }
}

extension String {
    /// The phrase with its values in place of the parts in braces. A value that has braces stays as it is.
    package func with(_ values: KeyValuePairs<String, String>) -> String {
        filling { name in values.first { $0.key == name }?.value }
    }

    /// The phrase with what a closure has for the parts in braces. A part that it has nothing for stays as it is.
    func filling(_ value: (String) -> String?) -> String {
        var text = ""
        var rest = self[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += rest[..<open]
            text += value(String(rest[rest.index(after: open)..<close])) ?? String(rest[open...close])
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }
}

// MARK: - The languages

extension OverlayPhrases {
    /// All languages, English first.
    public static let all = [english, german, french, spanish, portuguese, polish, japanese, chinese]

    /// Everybody who reads Portuguese gets that of Brazil.
    private static let byTag = Dictionary(
        all.map { ($0.tag, $0) } + [("pt", portuguese)], uniquingKeysWith: { first, _ in first })

    /// The phrases for a person; English if there are none in the person's languages.
    public init(_ languages: LanguagePreference) {
        self = languages.choose(from: Self.byTag) ?? .english
    }
}
