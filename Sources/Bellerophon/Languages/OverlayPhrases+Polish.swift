extension OverlayPhrases {
    /// Polish.
    public static let polish = OverlayPhrases(
        tag: "pl", plural: .polish,
        states: States(
            paused: State(
                headline: "USŁUGA WSTRZYMANA", shortHeadline: nil, word: "PRZERWA", still: "nadal wstrzymana",
                since: "przerwa od {time}",
                own: "Usługa jest wstrzymana, bez wiadomości. Ten widok zniknie sam, gdy usługa wróci.",
                end: "Ten widok zniknie sam, gdy usługa wróci."),
            closed: State(
                headline: "STAN NIEZNANY", shortHeadline: nil, word: "NIEZNANY", still: "nadal nieznany",
                since: "zablokowano o {time}",
                own: "Nie wiadomo, czy ten program może działać. Ten widok zniknie sam, gdy stan będzie znany.",
                end: "Ten widok zniknie sam, gdy stan będzie znany."),
            stopped: State(
                headline: "ZATRZYMANO NA TYM KOMPUTERZE", shortHeadline: nil, word: "ZATRZYMANO", still: "nadal zatrzymany",
                since: "zatrzymano o {time}",
                own: "Program zatrzymano na tym komputerze, bez podania powodu. Nie zrobiła tego usługa.",
                end: "Nie zatrzymała go usługa. Ten widok zniknie po zwolnieniu."),
            update: State(
                headline: "WYMAGANA AKTUALIZACJA", shortHeadline: nil, word: "AKTUALIZACJA", still: "aktualizacja nadal wymagana",
                since: "wymagana od {time}", own: "Tej wersji nie można już używać.", end: nil),
            broken: State(
                headline: "BŁĄD NOWEJ WERSJI", shortHeadline: nil, word: "BŁĄD", still: "", since: "",
                own: "Uruchomiono ją po aktualizacji i od razu się zakończyła.", end: nil),
            goBack: State(
                headline: "POWRÓT DO {version}", shortHeadline: nil, word: "POWRÓT", still: "{version} nadal wymagana",
                since: "wymagana od {time}", own: "Tej wersji nie można używać. Powrót do {version}.", end: nil)),
        frame: Frame(
            simulated: "SYMULACJA", installed: "{version} zainstalowana", thisMachine: "ten komputer", details: "szczegóły",
            keys: "klawisze", keysWait: ["klawisze zaraz zadziałają", "chwileczkę…"],
            helpNote: "Żaden inny klawisz nie trafia do programu pod spodem, dopóki ten widok go zakrywa.", back: "wróć",
            scroll: "przewiń", sizeNeeded: "potrzeba {size}"),
        keys: Keys(
            checkNow: Key(hint: "sprawdź", help: "zapytaj teraz serwer o stan"),
            details: Key(hint: "szczegóły", help: "pokaż lub ukryj dane o ostatnich sprawdzeniach"),
            copyMessage: Key(hint: "kopiuj", help: "kopiuj wiadomość do schowka"),
            openLink: Key(hint: "otwórz", help: "otwórz odnośnik w przeglądarce"),
            copyLink: Key(hint: "kopiuj", help: "kopiuj odnośnik do schowka"),
            update: Key(hint: "aktualizuj", help: "wykonaj polecenie aktualizacji, potem sprawdź ponownie"),
            lookAgain: Key(hint: "szukaj", help: "niech źródło poszuka nowszych wersji"),
            runCommand: Key(hint: "wykonaj", help: "wykonaj polecenie dla innej wersji, potem sprawdź ponownie"),
            restartingHelp: "wykonaj polecenie, potem kontynuuj z nową wersją",
            goOn: Key(hint: "kontynuuj", help: "kontynuuj bez aktualizacji, której jeszcze nie ma"),
            start: Key(hint: "uruchom {version}", help: "zakończ program i uruchom zainstalowaną wersję"),
            startAgain: "uruchom", help: Key(hint: "pomoc", help: "pokaż lub ukryj tę listę"),
            scrollUp: "przewiń długą wiadomość wstecz", scrollDown: "przewiń długą wiadomość dalej",
            toStart: "na początek wiadomości", toEnd: "na koniec wiadomości", close: "zamknij szczegóły lub pomoc",
            quit: Key(hint: "zakończ", help: "opuść program; na stronie: wróć")),
        status: Status(
            messageFrom: "wiadomość od {host}", reasonBy: "powód podany przez {author}", checking: "sprawdzanie…",
            listening: ["⇅ nasłuch; widok zniknie, gdy tylko serwer da znać", "⇅ nasłuch serwera", "⇅ nasłuch", "⇅"],
            nextCheckIn: "następne sprawdzenie za {time}", nextCheckAt: "następne sprawdzenie o {time}",
            againIn: "ponowne sprawdzenie za {time}", againAt: "ponowne sprawdzenie o {time}",
            nextTryIn: "następna próba za {time}",
            nextTryAt: "następna próba o {time}", nextIn: "za {time}", backAt: "Powrót: {time}", backAtInside: "powrót: {time}",
            releaseWith: "zwolnienie: {command}", stoppedBy: "zatrzymano o {time}: {author}", fromInside: "{author}, z programu",
            alsoStopped: [
                "Zatrzymano też na tym komputerze ({whole}); tak zostanie.", "Nadal zatrzymano na tym komputerze ({author}).",
                "Nadal zatrzymano na tym komputerze.", "nadal zatrzymano",
            ],
            failed: Counted(
                one: "{count} nieudane sprawdzenie", few: "{count} nieudane sprawdzenia", other: "{count} nieudanych sprawdzeń"),
            notConfirmed: "bez potwierdzenia od {age}", lastRun: "znany z poprzedniego uruchomienia",
            lastRunAge: "znany z poprzedniego uruchomienia, {age} temu", bundled: "stan dostarczony z programem",
            nothingKnown: "brak aktualnych danych"),
        program: Program(
            own: ["{name} nadal działa pod spodem", "{name} nadal działa", "nadal działa"],
            busy: ["{name} jest zajęty; Ctrl-C go kończy", "zajęty; Ctrl-C go kończy", "zajęty"],
            waitsForRelease: [
                "{name} jeszcze nie działa; ruszy po zwolnieniu", "{name} jeszcze nie działa", "jeszcze nie działa",
            ],
            waitsForStatus: [
                "{name} jeszcze nie działa; ruszy, gdy stan pozwoli", "{name} jeszcze nie działa", "jeszcze nie działa",
            ],
            running: [
                "{name} działa pod spodem, niezapisana praca zostaje", "{name} działa; praca zostaje", "{name} działa pod spodem",
                "{name} działa", "działa",
            ],
            paused: [
                "{name} jest zatrzymany i ruszy później; niezapisana praca zostaje", "{name} jest zatrzymany i ruszy później",
                "{name} na razie zatrzymany", "{name} zatrzymany", "na razie zatrzymany",
            ],
            stopped: ["{name} zatrzymano i tak zostanie, gdy ten widok zniknie", "{name} zatrzymano", "zatrzymano"],
            ending: ["{name} jest kończony", "kończenie"],
            endingAtTime: [
                "{name} ma się zakończyć i zostanie zakończony {time}", "{name} zostanie zakończony {time}",
                "{name}: koniec {time}",
                "koniec {time}",
            ],
            inTime: "za {time}", atTime: "o {time}",
            notHeld: Counted(
                one: "{count} proces nie jest zatrzymany", few: "{count} procesy nie są zatrzymane",
                other: "{count} procesów nie jest zatrzymanych"),
            notHeldShort: "niezatrzymane: {count}",
            pausedBut: ["{name} jest zatrzymany, ale {held}: {list}", "{name} jest zatrzymany, ale {held}"],
            pausedAlone: [
                "{name} jest zatrzymany od {time} i ruszy później", "{name} jest zatrzymany od {time}", "{name} zatrzymany",
                "na razie zatrzymany",
            ],
            pausedWith: [
                Counted(
                    one: "{name} i jeszcze {count} proces: zatrzymane od {time}, ruszą później",
                    few: "{name} i jeszcze {count} procesy: zatrzymane od {time}, ruszą później",
                    other: "{name} i jeszcze {count} procesów: zatrzymane od {time}, ruszą później"),
                Counted(
                    one: "{name} i jeszcze {count} proces: zatrzymane od {time}",
                    few: "{name} i jeszcze {count} procesy: zatrzymane od {time}",
                    other: "{name} i jeszcze {count} procesów: zatrzymane od {time}"),
            ]),
        update: Update(
            needs: "wymaga ", orLater: "{version} lub nowsza", installedUnknown: "zainstalowana wersja jest nieznana",
            getIt: "adres:", run: "polecenie:", orRun: "lub polecenie:", whereYouGotIt: "Dostępna tam, skąd pochodzi {name}.",
            source: "źródło", newerVersion: "nowsza wersja", looking: "szukanie: {version}",
            lookingIn: "szukanie w {source}: {version}",
            has: "{source} ma {version}", ready: "{version} jest gotowa", hasOnly: "{source} ma tylko {version}",
            hasNone: "{source} nie ma żadnej wersji", newerRequired: "wymagana jest nowsza wersja",
            required: "wymagana jest {version}", requiredSince: "od {time} wymagana jest {version}",
            problem: "{source}: {problem}",
            unclear: "nie wiadomo, czy {version} jest dostępna", runIt: "wykonaj",
            installedWith: "zainstalowano przez {source}{place}; tam jest inna wersja", getItThere: "dostępna u źródła{place}",
            place: " w {path}", installedButRuns: "{version} jest zainstalowana, ale działa {running}",
            installed: "{version} jest zainstalowana", noVersion: "brak",
            unmoved: "„{command}”: {end}; znaleziona wersja: {version}{place}",
            unproved: "„{command}”: {end}; zainstalowana wersja jest nieznana", failed: "„{command}”: {end}",
            newVersion: "nowa wersja", broken: "{version}, zaraz po uruchomieniu: {end}", startAgain: "uruchom ponownie",
            leave: "q oddaje sprawę powłoce.", pinned: "{source} ma zachować zainstalowaną wersję",
            pinnedRun: "{source} ma zachować zainstalowaną wersję; zmienia to:",
            copyFirst: "Inna kopia jest pierwsza w PATH: {path}",
            copy: "Inna kopia w PATH: {path}", lookForNewer: "poszukaj nowszych:", tryAgain: "spróbuj ponownie:",
            goOnUntil: "bez niej można pracować do {time}:", goOn: "kontynuuj", see: "sprawdź:"),
        questions: Questions(
            end: "Zakończyć {name}?", endWord: "zakończ {name}", notEnded: "{name} nie został zakończony",
            mayLoseWork: "Niezapisana praca może przepaść.",
            viewStays: "Po ponownym uruchomieniu widok zostanie, aż stan pozwoli.",
            run: "Wykonać to polecenie?", runAndRestart: "Wykonać to polecenie i uruchomić ponownie {name}?",
            runShort: "Wykonać?", runWord: "wykonaj", notRun: "polecenia nie wykonano",
            restarts: "Potem {name} zostanie zakończony i uruchomiony ponownie.", starts: "Potem ruszy {name}.",
            start: "Uruchomić ponownie {name}?", startShort: "Uruchomić?",
            startText: "{name} zostanie zakończony, a w jego miejsce ruszy {version}.",
            installedVersion: "zainstalowana wersja", startWord: "uruchom", notStarted: "{name} nie uruchomiono ponownie",
            open: "Otworzyć ten adres?", openShort: "Otworzyć?", openWord: "otwórz", notOpened: "adresu nie otwarto",
            wait: ["{key} zaraz zadziała · inny klawisz wraca", "{key} zaraz zadziała", "chwila…"], anyKey: "inny klawisz",
            goesBack: "wróć"),
        answers: Answers(
            message: "wiadomość", link: "odnośnik", address: "adres", command: "polecenie",
            nothingToCopy: "nie ma czego kopiować: {name}",
            sent: "wysłano do schowka: {name}", noClipboard: "ten terminal nie ma schowka dla programów",
            opening: "{name} otwiera odnośnik", noBrowserCopied: "brak przeglądarki; odnośnik wysłano do schowka",
            noBrowser: "brak przeglądarki", noLink: "nie ma odnośnika", noCommandFor: "brak polecenia dla {source}",
            noCommand: "nie ustawiono polecenia aktualizacji", tooLong: "za długie, by pokazać: {name}",
            noRoom: "za mało miejsca, by pokazać: {name}", noRoomSo: "za mało miejsca: {withdrawal}",
            keysIgnored: "klawisze pominięto; proszę chwilę zaczekać", noMeaning: "ten klawisz nic tu nie robi",
            keyWithoutMeaning: "{key} nic tu nie robi", keyForHelp: " · {key}: pomoc"),
        notices: Notices(
            maintenance: "Przerwa techniczna", available: "{version} jest dostępna",
            newerAvailable: "dostępna jest nowsza wersja",
            required: "wymagana jest {version}", updateRequired: "wymagana jest aktualizacja", inTime: " za {time}"),
        lines: Lines(
            unknown: "{name}: stan nieznany ({host})", update: "{name} wymaga aktualizacji ({host})",
            goBack: "{name} musi wrócić do {version} ({host})", paused: "{name}: usługa wstrzymana ({host})",
            pausedUntil: "{name}: usługa wstrzymana, powrót: {time} ({host})", getIt: " Adres: {link}",
            stopped: "{name} zatrzymano na tym komputerze: {author}", endsWithin: "koniec w ciągu {time}",
            notStarted: "nie uruchomiono", versionRequired: "wymagana jest wersja {version}"))
}
