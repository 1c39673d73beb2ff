extension OverlayPhrases {
    /// German.
    public static let german = OverlayPhrases(
        tag: "de", plural: .one,
        states: States(
            paused: State(
                title: "Dienst pausiert", shortHeadline: nil, word: "PAUSE", still: "weiterhin pausiert",
                since: "pausiert seit {time}",
                own:
                    "Der Dienst ist pausiert, ohne Nachricht. Diese Ansicht verschwindet von selbst, sobald der Dienst zurück ist.",
                end: "Diese Ansicht verschwindet von selbst, sobald der Dienst zurück ist."),
            closed: State(
                title: "Status unbekannt", shortHeadline: nil, word: "UNBEKANNT", still: "weiterhin unbekannt",
                since: "gesperrt seit {time}",
                own:
                    "Es ist nicht bekannt, ob dieses Programm laufen darf. Diese Ansicht verschwindet, sobald der Status bekannt ist.",
                end: "Diese Ansicht verschwindet von selbst, sobald der Status bekannt ist."),
            stopped: State(
                title: "Auf diesem Rechner angehalten", shortHeadline: nil, word: "ANGEHALTEN", still: "weiterhin angehalten",
                since: "angehalten seit {time}",
                own: "Das Programm wurde auf diesem Rechner angehalten, ohne Angabe von Gründen. Nicht durch den Dienst.",
                end: "Nicht der Dienst hat es angehalten. Diese Ansicht verschwindet mit der Freigabe."),
            update: State(
                title: "Update erforderlich", shortHeadline: nil, word: "UPDATE", still: "Update weiterhin erforderlich",
                since: "erforderlich seit {time}", own: "Diese Version ist nicht mehr verwendbar.", end: nil),
            broken: State(
                title: "Neue Version fehlgeschlagen", shortHeadline: "FEHLER", word: "FEHLER", still: "", since: "",
                own: "Sie wurde nach einem Update gestartet und hat sich sofort beendet.", end: nil),
            goBack: State(
                title: "Zurück zu {version}", shortHeadline: nil, word: "ZURÜCK", still: "{version} weiterhin erforderlich",
                since: "erforderlich seit {time}", own: "Diese Version ist nicht verwendbar. Zurück zu {version}.", end: nil)),
        frame: Frame(
            simulated: "SIMULATION", installed: "{version} installiert", thisMachine: "dieser Rechner", details: "Details",
            keys: "Tasten", keysWait: ["Tasten wirken gleich", "Moment…"],
            helpNote: "Keine andere Taste erreicht das Programm darunter, solange diese Ansicht es verdeckt.", back: "zurück",
            scroll: "blättern", sizeNeeded: "{size} nötig"),
        keys: Keys(
            checkNow: Key(hint: "prüfen", help: "den Server jetzt nach dem Status fragen"),
            details: Key(hint: "Details", help: "Angaben zu den letzten Prüfungen zeigen oder ausblenden"),
            copyMessage: Key(hint: "kopieren", help: "die Nachricht in die Zwischenablage kopieren"),
            openLink: Key(hint: "Link öffnen", help: "den Link in einem Browser öffnen"),
            copyLink: Key(hint: "Link kopieren", help: "den Link in die Zwischenablage kopieren"),
            update: Key(hint: "Update", help: "den Update-Befehl ausführen, dann erneut prüfen"),
            lookAgain: Key(hint: "neu suchen", help: "die Quelle nach neueren Versionen suchen lassen"),
            runCommand: Key(hint: "ausführen", help: "den Befehl für eine andere Version ausführen, dann erneut prüfen"),
            restartingHelp: "den Befehl ausführen, dann mit der neuen Version weiterarbeiten",
            goOn: Key(hint: "weiter", help: "ohne das Update weiterarbeiten, das noch nicht erhältlich ist"),
            start: Key(hint: "{version} starten", help: "das Programm beenden und die installierte Version starten"),
            startAgain: "neu starten", help: Key(hint: "Hilfe", help: "diese Liste zeigen oder ausblenden"),
            scrollUp: "in einer langen Nachricht zurückblättern", scrollDown: "in einer langen Nachricht weiterblättern",
            toStart: "zum Anfang der Nachricht", toEnd: "zum Ende der Nachricht", close: "Details oder Hilfe schließen",
            quit: Key(hint: "Ende", help: "das Programm verlassen; auf einer Seite: zurück")),
        status: Status(
            messageFrom: "Nachricht von {host}", reasonBy: "Grund, angegeben von {author}", checking: "Prüfung läuft…",
            listening: [
                "⇅ verbunden; diese Ansicht endet, sobald der Server es meldet", "⇅ mit dem Server verbunden", "⇅ verbunden", "⇅",
            ],
            nextCheckIn: "nächste Prüfung in {time}", nextCheckAt: "nächste Prüfung um {time}",
            againIn: "erneute Prüfung in {time}", againAt: "erneute Prüfung um {time}", nextTryIn: "nächster Versuch in {time}",
            nextTryAt: "nächster Versuch um {time}", nextIn: "in {time}", backAt: "Zurück: {time}",
            backAtInside: "zurück: {time}",
            releaseWith: "Freigabe mit {command}", stoppedBy: "angehalten seit {time} von {author}",
            fromInside: "{author}, aus dem Programm heraus",
            alsoStopped: [
                "Auch auf diesem Rechner angehalten, von {whole}; das bleibt so.",
                "Bleibt auf diesem Rechner angehalten, von {author}.", "Bleibt auf diesem Rechner angehalten.",
                "bleibt angehalten",
            ],
            failed: Counted(
                one: "{count} Prüfung fehlgeschlagen", few: "{count} Prüfungen fehlgeschlagen",
                other: "{count} Prüfungen fehlgeschlagen"),
            notConfirmed: "seit {age} nicht bestätigt", lastRun: "bekannt vom letzten Lauf",
            lastRunAge: "bekannt vom letzten Lauf, {age} alt", bundled: "mit dem Programm gelieferter Status",
            nothingKnown: "nichts Aktuelles bekannt"),
        program: Program(
            own: ["{name} läuft darunter weiter", "{name} läuft weiter", "läuft weiter"],
            busy: [
                "{name} ist beschäftigt und nimmt keine Tasten an; Strg-C beendet es",
                "beschäftigt, keine Tasten; Strg-C beendet es",
                "beschäftigt, keine Tasten",
            ],
            waitsForRelease: [
                "{name} ist nicht gestartet; es startet mit der Freigabe", "{name} ist nicht gestartet", "nicht gestartet",
            ],
            waitsForStatus: [
                "{name} ist nicht gestartet; es startet, sobald der Status es erlaubt", "{name} ist nicht gestartet",
                "nicht gestartet",
            ],
            running: [
                "{name} läuft darunter weiter; Ungespeichertes bleibt erhalten", "{name} läuft; Ungespeichertes bleibt",
                "{name} läuft darunter weiter", "{name} läuft weiter", "läuft weiter",
            ],
            paused: [
                "{name} ist angehalten und läuft danach weiter; Ungespeichertes bleibt erhalten",
                "{name} ist angehalten und läuft danach weiter", "{name} ist so lange angehalten", "{name} ist angehalten",
                "so lange angehalten",
            ],
            stopped: [
                "{name} wurde angehalten und bleibt es, wenn diese Ansicht verschwindet", "{name} wurde angehalten", "angehalten",
            ],
            ending: ["{name} wird beendet", "wird beendet"],
            endingAtTime: [
                "{name} soll sich beenden und wird {time} beendet", "{name} wird {time} beendet", "{name} endet {time}",
                "endet {time}",
            ],
            inTime: "in {time}", atTime: "um {time}",
            notHeld: Counted(
                one: "{count} Prozess läuft weiter", few: "{count} Prozesse laufen weiter",
                other: "{count} Prozesse laufen weiter"),
            notHeldShort: "{count} laufen weiter",
            pausedBut: ["{name} ist angehalten, aber {held}: {list}", "{name} ist angehalten, aber {held}"],
            pausedAlone: [
                "{name} ist seit {time} angehalten und läuft danach weiter", "{name} ist seit {time} angehalten",
                "{name} ist angehalten", "so lange angehalten",
            ],
            pausedWith: [
                Counted(
                    one: "{name} und {count} weiterer Prozess sind seit {time} angehalten und laufen danach weiter",
                    few: "{name} und {count} weitere Prozesse sind seit {time} angehalten und laufen danach weiter",
                    other: "{name} und {count} weitere Prozesse sind seit {time} angehalten und laufen danach weiter"),
                Counted(
                    one: "{name} und {count} weiterer Prozess: angehalten seit {time}",
                    few: "{name} und {count} weitere Prozesse: angehalten seit {time}",
                    other: "{name} und {count} weitere Prozesse: angehalten seit {time}"),
            ]),
        update: Update(
            needs: "benötigt ", orLater: "{version} oder neuer", installedUnknown: "die installierte Version ist nicht bekannt",
            getIt: "zu finden:", run: "Befehl:", orRun: "oder Befehl:",
            whereYouGotIt: "Erhältlich dort, woher {name} stammt.", source: "die Quelle", newerVersion: "einer neueren Version",
            looking: "Suche nach {version}", lookingIn: "Suche nach {version} in {source}", has: "{source} hat {version}",
            ready: "{version} ist bereit", hasOnly: "{source} hat nur {version}", hasNone: "{source} hat keine Version davon",
            newerRequired: "eine neuere Version ist erforderlich", required: "{version} ist erforderlich",
            requiredSince: "{version} ist erforderlich seit {time}", problem: "{source}: {problem}",
            unclear: "es ist nicht bekannt, ob {version} erhältlich ist", runIt: "ausführen",
            installedWith: "installiert mit {source}{place}; die andere Version gibt es dort",
            getItThere: "erhältlich dort, woher das Programm stammt{place}", place: " in {path}",
            installedButRuns: "{version} ist installiert, aber {running} läuft", installed: "{version} ist installiert",
            noVersion: "keine Version", unmoved: "„{command}“: {end}; gefunden: {version}{place}",
            unproved: "„{command}“: {end}; die installierte Version ist nicht bekannt", failed: "„{command}“: {end}",
            newVersion: "die neue Version", broken: "{version}, gleich nach dem Start: {end}", startAgain: "neu starten",
            leave: "q überlässt es der Shell.", pinned: "{source} soll die installierte Version behalten",
            pinnedRun: "{source} soll die installierte Version behalten; das beendet:",
            copyFirst: "Eine andere Kopie steht in PATH vorn: {path}", copy: "Auch in PATH: {path}",
            lookForNewer: "nach neueren suchen:", tryAgain: "erneut versuchen:",
            goOnUntil: "ohne das Update geht es weiter bis {time}:", goOn: "weiter", see: "selbst nachsehen:"),
        questions: Questions(
            end: "{name} beenden?", endWord: "{name} beenden", notEnded: "{name} wurde nicht beendet",
            mayLoseWork: "Ungespeichertes kann verloren gehen.",
            viewStays: "Nach einem Neustart steht hier diese Ansicht, bis der Status es erlaubt.",
            run: "Diesen Befehl ausführen?",
            runAndRestart: "Diesen Befehl ausführen und {name} neu starten?", runShort: "Ausführen?", runWord: "ausführen",
            notRun: "der Befehl wurde nicht ausgeführt", restarts: "Danach wird {name} beendet und neu gestartet.",
            starts: "Danach startet {name}.", start: "{name} neu starten?", startShort: "Neu starten?",
            startText: "{name} wird beendet, und an seiner Stelle startet {version}.",
            installedVersion: "die installierte Version", startWord: "starten", notStarted: "{name} wurde nicht neu gestartet",
            open: "Diese Adresse öffnen?", openShort: "Öffnen?", openWord: "öffnen",
            notOpened: "die Adresse wurde nicht geöffnet",
            wait: ["{key} wirkt gleich · jede andere Taste geht zurück", "{key} wirkt gleich", "Moment…"],
            anyKey: "andere Taste", goesBack: "zurück"),
        answers: Answers(
            message: "Nachricht", link: "Link", address: "Adresse", command: "Befehl",
            nothingToCopy: "nichts zu kopieren: {name}",
            sent: "{name}: an die Zwischenablage gesendet",
            noClipboard: "dieses Terminal hat keine Zwischenablage für Programme", opening: "{name} öffnet den Link",
            noBrowserCopied: "hier ist kein Browser; Link an die Zwischenablage gesendet", noBrowser: "hier ist kein Browser",
            noLink: "es gibt keinen Link", noCommandFor: "kein Befehl bekannt für {source}",
            noCommand: "kein Update-Befehl eingestellt", tooLong: "zu lang für die Anzeige: {name}",
            noRoom: "zu wenig Platz für die Anzeige: {name}", noRoomSo: "zu wenig Platz: {withdrawal}",
            keysIgnored: "Tasten ignoriert; kurz warten", noMeaning: "diese Taste bewirkt hier nichts",
            keyWithoutMeaning: "{key} bewirkt hier nichts", keyForHelp: " · {key} für Hilfe"),
        notices: Notices(
            maintenance: "Wartung", available: "{version} ist verfügbar", newerAvailable: "eine neuere Version ist verfügbar",
            required: "{version} ist erforderlich", updateRequired: "ein Update ist erforderlich", inTime: " in {time}"),
        lines: Lines(
            unknown: "{name} hat keinen bekannten Status ({host})", update: "{name} braucht ein Update ({host})",
            goBack: "{name} muss zurück zu {version} ({host})", paused: "{name} ist pausiert ({host})",
            pausedUntil: "{name} ist pausiert, zurück: {time} ({host})", getIt: " Zu finden: {link}",
            stopped: "{name} wurde auf diesem Rechner angehalten von {author}", endsWithin: "endet innerhalb von {time}",
            notStarted: "nicht gestartet", versionRequired: "Version {version} ist erforderlich"),
        spoken: Spoken(
            source: "Quelle: {source}",
            simulated: "simuliert",
            needs: "Benötigt wird {version}.",
            keys: "Tasten: {keys}",
            checksFail: "Die Prüfungen schlagen fehl: {failure}",
            checksSucceed: "Die Prüfungen gelingen wieder.",
            notConfirmed: "Der Status ist seit Langem nicht bestätigt.",
            available: "{name} ist wieder verfügbar.",
            released: "{name} ist freigegeben."))
}
