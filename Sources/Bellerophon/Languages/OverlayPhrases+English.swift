extension OverlayPhrases {
    /// English.
    public static let english = OverlayPhrases(
        tag: "en", plural: .one,
        states: States(
            paused: State(
                title: "Service paused", shortHeadline: nil, word: "PAUSED", still: "still paused",
                since: "paused since {time}",
                own: "The service is paused, without a message. This view goes by itself when the service is back.",
                end: "This view goes by itself when the service is back."),
            closed: State(
                title: "Status unknown", shortHeadline: nil, word: "UNKNOWN", still: "still unknown",
                since: "closed since {time}",
                own: "It is not known whether this program may run. This view goes by itself when the status is known.",
                end: "This view goes by itself when the status is known."),
            stopped: State(
                title: "Stopped on this machine", shortHeadline: nil, word: "STOPPED", still: "still stopped",
                since: "stopped since {time}",
                own: "Somebody on this machine has stopped it, without a reason. The service has not.",
                end: "The service has not stopped it. This view goes when the stop is released."),
            update: State(
                title: "Update required", shortHeadline: nil, word: "UPDATE", still: "update still required",
                since: "required since {time}", own: "This version can't be used any longer.", end: nil),
            broken: State(
                title: "The new version failed", shortHeadline: "FAILED", word: "FAILED", still: "", since: "",
                own: "It was started after an update, and has ended at once.", end: nil),
            goBack: State(
                title: "Go back to {version}", shortHeadline: "GO BACK", word: "GO BACK", still: "{version} still required",
                since: "required since {time}", own: "This version can't be used. Go back to {version}.", end: nil)),
        frame: Frame(
            simulated: "SIMULATED", installed: "{version} installed", thisMachine: "this machine", details: "details",
            keys: "keys",
            keysWait: ["keys count in a moment", "one moment…"],
            helpNote: "No other key reaches the program below while this view covers it.", back: "back", scroll: "scroll",
            sizeNeeded: "{size} needed"),
        keys: Keys(
            checkNow: Key(hint: "check now", help: "ask the server for the status now"),
            details: Key(hint: "details", help: "show or hide what is known of the last checks"),
            copyMessage: Key(hint: "copy message", help: "copy the message to the clipboard"),
            openLink: Key(hint: "open link", help: "open the link in a browser"),
            copyLink: Key(hint: "copy link", help: "copy the link to the clipboard"),
            update: Key(hint: "update", help: "run the update command, then check again"),
            lookAgain: Key(hint: "look again", help: "let the source look for newer versions"),
            runCommand: Key(hint: "run command", help: "run the command for another version, then check again"),
            restartingHelp: "run the command, then go on with the new version",
            goOn: Key(hint: "go on", help: "go on without the update, which can't be had yet"),
            start: Key(hint: "start {version}", help: "end the program and start the version that is installed"),
            startAgain: "start again", help: Key(hint: "help", help: "show or hide this list"),
            scrollUp: "scroll a long message back", scrollDown: "scroll a long message on",
            toStart: "go to the start of the message", toEnd: "go to the end of the message", close: "close details or help",
            quit: Key(hint: "quit", help: "leave the program; on a page, go back")),
        status: Status(
            messageFrom: "message from {host}", reasonBy: "reason given by {author}", checking: "checking…",
            listening: ["⇅ listening; this goes the moment the server says so", "⇅ listening to the server", "⇅ listening", "⇅"],
            nextCheckIn: "next check in {time}", nextCheckAt: "next check at {time}", againIn: "checking again in {time}",
            againAt: "checking again at {time}", nextTryIn: "next try in {time}", nextTryAt: "next try at {time}",
            nextIn: "next {time}", backAt: "Back at {time}", backAtInside: "back at {time}",
            releaseWith: "release it with {command}", stoppedBy: "stopped since {time} by {author}",
            fromInside: "{author}, from inside the program",
            alsoStopped: [
                "It is also stopped on this machine, by {whole}, and stays so when this view goes.",
                "It stays stopped on this machine, by {author}.", "It stays stopped on this machine.", "stays stopped here",
            ],
            failed: Counted(one: "{count} check failed", few: "{count} checks failed", other: "{count} checks failed"),
            notConfirmed: "not confirmed for {age}", lastRun: "known from the last run",
            lastRunAge: "known from the last run, {age} old", bundled: "the status that ships with the program",
            nothingKnown: "nothing recent is known"),
        program: Program(
            own: ["{name} is still running underneath", "{name} is still running", "still running"],
            busy: [
                "{name} is busy and takes no keys; Control-C ends it", "busy, takes no keys; Control-C ends it",
                "busy, takes no keys",
            ],
            waitsForRelease: [
                "{name} has not started; it starts when the stop is released", "{name} has not started", "not started yet",
            ],
            waitsForStatus: [
                "{name} has not started; it starts when the status clears", "{name} has not started", "not started yet",
            ],
            running: [
                "{name} continues underneath, and unsaved work is kept", "{name} continues; unsaved work is kept",
                "{name} continues underneath", "{name} continues", "continues",
            ],
            paused: [
                "{name} is stopped and continues afterwards; unsaved work is kept", "{name} is stopped and continues afterwards",
                "{name} is stopped meanwhile", "{name} is stopped", "stopped meanwhile",
            ],
            stopped: ["{name} was stopped, and stays stopped when this view goes", "{name} was stopped", "stopped"],
            ending: ["{name} is being ended", "being ended"],
            endingAtTime: [
                "{name} is asked to end, and will be ended {time}", "{name} will be ended {time}", "{name} ends {time}",
                "ends {time}",
            ],
            inTime: "in {time}", atTime: "at {time}",
            notHeld: Counted(
                one: "{count} process is not held", few: "{count} processes are not held", other: "{count} processes are not held"
            ),
            notHeldShort: "{count} not held",
            pausedBut: ["{name} is stopped, but {held}: {list}", "{name} is stopped, but {held}"],
            pausedAlone: [
                "{name} is stopped since {time}, and continues afterwards", "{name} is stopped since {time}", "{name} is stopped",
                "stopped meanwhile",
            ],
            pausedWith: [
                Counted(
                    one: "{name} and {count} more process are stopped since {time}, and continue afterwards",
                    few: "{name} and {count} more processes are stopped since {time}, and continue afterwards",
                    other: "{name} and {count} more processes are stopped since {time}, and continue afterwards"),
                Counted(
                    one: "{name} and {count} more process are stopped since {time}",
                    few: "{name} and {count} more processes are stopped since {time}",
                    other: "{name} and {count} more processes are stopped since {time}"),
            ]),
        update: Update(
            needs: "needs ", orLater: "{version} or later", installedUnknown: "the installed version is not known",
            getIt: "get it:", run: "run:", orRun: "or run:", whereYouGotIt: "Get it where you got {name}.", source: "the source",
            newerVersion: "a newer version", looking: "looking for {version}", lookingIn: "looking for {version} in {source}",
            has: "{source} has {version}", ready: "{version} is ready", hasOnly: "{source} has {version} only",
            hasNone: "{source} has no version of it", newerRequired: "a newer version is required",
            required: "{version} is required", requiredSince: "{version} is required since {time}", problem: "{source} {problem}",
            unclear: "it is not known whether {version} can be had", runIt: "run",
            installedWith: "it was installed with {source}{place}; get the other version there",
            getItThere: "get it where you got it{place}", place: " at {path}",
            installedButRuns: "{version} is installed, but {running} runs", installed: "{version} is installed",
            noVersion: "no version", unmoved: "\"{command}\" {end}, but {version} is found{place}",
            unproved: "\"{command}\" {end}, but the installed version is not known", failed: "\"{command}\" {end}",
            newVersion: "the new version", broken: "{version} {end} right after its start", startAgain: "start it again",
            leave: "q leaves it to the shell.", pinned: "{source} is told to keep the installed version",
            pinnedRun: "{source} is told to keep the installed version; to end that, run:",
            copyFirst: "Another copy comes first in PATH: {path}", copy: "Another copy is in PATH too: {path}",
            lookForNewer: "look for newer ones:", tryAgain: "try again:", goOnUntil: "without it you can go on until {time}:",
            goOn: "go on", see: "see for yourself:"),
        questions: Questions(
            end: "End {name}?", endWord: "end {name}", notEnded: "{name} was not ended",
            mayLoseWork: "Unsaved work may be lost.",
            viewStays: "Started again, it shows this view until the status clears.", run: "Run this command?",
            runAndRestart: "Run this command and restart {name}?", runShort: "Run this?", runWord: "run it",
            notRun: "the command was not run", restarts: "Afterwards {name} is ended and started again.",
            starts: "Afterwards {name} starts.", start: "Start {name} again?", startShort: "Start again?",
            startText: "{name} is ended, and {version} starts in its place.", installedVersion: "the installed version",
            startWord: "start it", notStarted: "{name} was not started again", open: "Open this address?",
            openShort: "Open this?", openWord: "open it", notOpened: "the address was not opened",
            wait: ["{key} counts in a moment · any other key goes back", "{key} counts in a moment", "wait…"],
            anyKey: "any other key", goesBack: "goes back"),
        answers: Answers(
            message: "message", link: "link", address: "address", command: "command",
            nothingToCopy: "there is no {name} to copy", sent: "{name} sent to the clipboard",
            noClipboard: "this terminal has no clipboard that a program can reach", opening: "opening the link with {name}",
            noBrowserCopied: "no browser to open here; link sent to the clipboard", noBrowser: "no browser to open here",
            noLink: "there is no link to open", noCommandFor: "no command is known for {source}",
            noCommand: "no update command is configured", tooLong: "the {name} is too long to be shown",
            noRoom: "too little room to show the {name}", noRoomSo: "too little room: {withdrawal}",
            keysIgnored: "keys ignored; pause for a moment", noMeaning: "this key does nothing here",
            keyWithoutMeaning: "{key} does nothing here", keyForHelp: " · {key} for help"),
        notices: Notices(
            maintenance: "Maintenance", available: "{version} is available", newerAvailable: "a newer version is available",
            required: "{version} is required", updateRequired: "an update is required", inTime: " in {time}"),
        lines: Lines(
            unknown: "{name} has no known status ({host})", update: "{name} needs an update ({host})",
            goBack: "{name} must go back to {version} ({host})", paused: "{name} is paused ({host})",
            pausedUntil: "{name} is paused, back at {time} ({host})", getIt: " Get it: {link}",
            stopped: "{name} was stopped on this machine by {author}", endsWithin: "it ends within {time}",
            notStarted: "not started", versionRequired: "version {version} is required"),
        spoken: Spoken(
            source: "Source: {source}",
            simulated: "simulated",
            needs: "It needs {version}.",
            keys: "Keys: {keys}",
            checksFail: "The checks fail: {failure}",
            checksSucceed: "The checks succeed again.",
            notConfirmed: "The status has not been confirmed for a long time.",
            available: "{name} is available again.",
            released: "{name} is released."))
}
