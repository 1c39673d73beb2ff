extension OverlayPhrases {
    /// French.
    public static let french = OverlayPhrases(
        tag: "fr", plural: .zeroAndOne,
        states: States(
            paused: State(
                title: "Service en pause", shortHeadline: nil, word: "PAUSE", still: "toujours en pause",
                since: "en pause depuis {time}",
                own: "Le service est en pause, sans message. Cette vue disparaît d'elle-même au retour du service.",
                end: "Cette vue disparaît d'elle-même au retour du service."),
            closed: State(
                title: "Statut inconnu", shortHeadline: nil, word: "INCONNU", still: "toujours inconnu",
                since: "bloqué depuis {time}",
                own: "On ne sait pas si ce programme peut fonctionner. Cette vue disparaît dès que le statut est connu.",
                end: "Cette vue disparaît d'elle-même dès que le statut est connu."),
            stopped: State(
                title: "Arrêté sur cette machine", shortHeadline: nil, word: "ARRÊTÉ", still: "toujours arrêté",
                since: "arrêté depuis {time}",
                own: "Quelqu'un a arrêté le programme sur cette machine, sans motif. Ce n'est pas le service.",
                end: "Le service ne l'a pas arrêté. Cette vue disparaît quand l'arrêt est levé."),
            update: State(
                title: "Mise à jour requise", shortHeadline: nil, word: "MISE À JOUR", still: "mise à jour toujours requise",
                since: "requise depuis {time}", own: "Cette version n'est plus utilisable.", end: nil),
            broken: State(
                title: "Échec de la nouvelle version", shortHeadline: nil, word: "ÉCHEC", still: "", since: "",
                own: "Elle a été lancée après une mise à jour et s'est terminée aussitôt.", end: nil),
            goBack: State(
                title: "Revenir à {version}", shortHeadline: nil, word: "REVENIR", still: "{version} toujours requise",
                since: "requise depuis {time}", own: "Cette version n'est pas utilisable. Revenir à {version}.", end: nil)),
        frame: Frame(
            simulated: "SIMULATION", installed: "{version} installée", thisMachine: "cette machine", details: "détails",
            keys: "touches", keysWait: ["touches actives dans un instant", "un instant…"],
            helpNote: "Aucune autre touche n'atteint le programme tant que cette vue le couvre.", back: "retour",
            scroll: "défiler", sizeNeeded: "{size} requis"),
        keys: Keys(
            checkNow: Key(hint: "vérifier", help: "demander le statut au serveur maintenant"),
            details: Key(hint: "détails", help: "montrer ou cacher les dernières vérifications"),
            copyMessage: Key(hint: "copier", help: "copier le message dans le presse-papiers"),
            openLink: Key(hint: "ouvrir", help: "ouvrir le lien dans un navigateur"),
            copyLink: Key(hint: "copier", help: "copier le lien dans le presse-papiers"),
            update: Key(hint: "mettre à jour", help: "lancer la commande de mise à jour, puis vérifier"),
            lookAgain: Key(hint: "rechercher", help: "laisser la source chercher des versions plus récentes"),
            runCommand: Key(hint: "exécuter", help: "lancer la commande pour une autre version, puis vérifier"),
            restartingHelp: "lancer la commande, puis continuer avec la nouvelle version",
            goOn: Key(hint: "continuer", help: "continuer sans la mise à jour, pas encore disponible"),
            start: Key(hint: "lancer {version}", help: "terminer le programme et lancer la version installée"),
            startAgain: "relancer", help: Key(hint: "aide", help: "montrer ou cacher cette liste"),
            scrollUp: "remonter dans un long message", scrollDown: "descendre dans un long message",
            toStart: "aller au début du message", toEnd: "aller à la fin du message", close: "fermer les détails ou l'aide",
            quit: Key(hint: "quitter", help: "quitter le programme ; sur une page, revenir")),
        status: Status(
            messageFrom: "message de {host}", reasonBy: "motif donné par {author}", checking: "vérification…",
            listening: ["⇅ à l'écoute ; disparaît dès que le serveur le dit", "⇅ à l'écoute du serveur", "⇅ à l'écoute", "⇅"],
            nextCheckIn: "prochaine vérification dans {time}", nextCheckAt: "prochaine vérification à {time}",
            againIn: "nouvelle vérification dans {time}", againAt: "nouvelle vérification à {time}",
            nextTryIn: "prochain essai dans {time}", nextTryAt: "prochain essai à {time}", nextIn: "dans {time}",
            backAt: "Retour : {time}", backAtInside: "retour : {time}", releaseWith: "à lever avec {command}",
            stoppedBy: "arrêté depuis {time} par {author}", fromInside: "{author}, depuis le programme",
            alsoStopped: [
                "Aussi arrêté sur cette machine, par {whole} ; cela reste ainsi.",
                "Reste arrêté sur cette machine, par {author}.",
                "Reste arrêté sur cette machine.", "reste arrêté ici",
            ],
            failed: Counted(
                one: "{count} vérification échouée", few: "{count} vérifications échouées",
                other: "{count} vérifications échouées"),
            notConfirmed: "sans confirmation depuis {age}", lastRun: "connu du dernier lancement",
            lastRunAge: "connu du dernier lancement, il y a {age}", bundled: "statut livré avec le programme",
            nothingKnown: "rien de récent n'est connu"),
        program: Program(
            own: ["{name} fonctionne toujours en dessous", "{name} fonctionne toujours", "fonctionne toujours"],
            busy: [
                "{name} est occupé et ne prend pas de touches ; Ctrl-C le termine", "occupé, sans touches ; Ctrl-C le termine",
                "occupé, sans touches",
            ],
            waitsForRelease: [
                "{name} n'a pas démarré ; il démarre quand l'arrêt est levé", "{name} n'a pas démarré", "pas démarré",
            ],
            waitsForStatus: [
                "{name} n'a pas démarré ; il démarre quand le statut le permet", "{name} n'a pas démarré", "pas démarré",
            ],
            running: [
                "{name} continue en dessous, le travail non enregistré est conservé", "{name} continue ; le travail est conservé",
                "{name} continue en dessous", "{name} continue", "continue",
            ],
            paused: [
                "{name} est arrêté et continue ensuite ; le travail est conservé", "{name} est arrêté et continue ensuite",
                "{name} est arrêté entre-temps", "{name} est arrêté", "arrêté entre-temps",
            ],
            stopped: ["{name} a été arrêté, et le reste quand cette vue disparaît", "{name} a été arrêté", "arrêté"],
            ending: ["fin de {name} en cours", "fin en cours"],
            endingAtTime: [
                "{name} est prié de finir et sera terminé {time}", "{name} sera terminé {time}", "{name} finit {time}",
                "finit {time}",
            ],
            inTime: "dans {time}", atTime: "à {time}",
            notHeld: Counted(
                one: "{count} processus n'est pas retenu", few: "{count} processus ne sont pas retenus",
                other: "{count} processus ne sont pas retenus"),
            notHeldShort: "{count} non retenus",
            pausedBut: ["{name} est arrêté, mais {held} : {list}", "{name} est arrêté, mais {held}"],
            pausedAlone: [
                "{name} est arrêté depuis {time} et continue ensuite", "{name} est arrêté depuis {time}", "{name} est arrêté",
                "arrêté entre-temps",
            ],
            pausedWith: [
                Counted(
                    one: "{name} et {count} autre processus sont arrêtés depuis {time} et continuent ensuite",
                    few: "{name} et {count} autres processus sont arrêtés depuis {time} et continuent ensuite",
                    other: "{name} et {count} autres processus sont arrêtés depuis {time} et continuent ensuite"),
                Counted(
                    one: "{name} et {count} autre processus : arrêtés depuis {time}",
                    few: "{name} et {count} autres processus : arrêtés depuis {time}",
                    other: "{name} et {count} autres processus : arrêtés depuis {time}"),
            ]),
        update: Update(
            needs: "requiert ", orLater: "{version} ou plus récente", installedUnknown: "la version installée est inconnue",
            getIt: "à obtenir :", run: "lancer :", orRun: "ou lancer :", whereYouGotIt: "À obtenir là d'où vient {name}.",
            source: "la source", newerVersion: "une version plus récente", looking: "recherche : {version}",
            lookingIn: "recherche dans {source} : {version}", has: "{source} a {version}", ready: "{version} est prête",
            hasOnly: "{source} n'a que {version}", hasNone: "{source} n'en a aucune version",
            newerRequired: "une version plus récente est requise", required: "{version} est requise",
            requiredSince: "{version} est requise depuis {time}", problem: "{source} : {problem}",
            unclear: "on ne sait pas si {version} est disponible", runIt: "lancer",
            installedWith: "installé avec {source}{place} ; l'autre version s'y trouve",
            getItThere: "à obtenir à la source{place}",
            place: " dans {path}", installedButRuns: "{version} est installée, mais {running} tourne",
            installed: "{version} est installée", noVersion: "aucune version",
            unmoved: "« {command} » : {end} ; version trouvée : {version}{place}",
            unproved: "« {command} » : {end} ; la version installée est inconnue", failed: "« {command} » : {end}",
            newVersion: "la nouvelle version", broken: "{version}, juste après son lancement : {end}", startAgain: "relancer",
            leave: "q le laisse au shell.", pinned: "{source} doit garder la version installée",
            pinnedRun: "{source} doit garder la version installée ; pour y mettre fin :",
            copyFirst: "Une autre copie est première dans PATH : {path}", copy: "Aussi dans PATH : {path}",
            lookForNewer: "en chercher de plus récentes :", tryAgain: "réessayer :",
            goOnUntil: "sans elle, possible de continuer jusqu'à {time} :", goOn: "continuer", see: "à voir soi-même :"),
        questions: Questions(
            end: "Terminer {name} ?", endWord: "terminer {name}", notEnded: "{name} n'a pas été terminé",
            mayLoseWork: "Du travail non enregistré peut être perdu.",
            viewStays: "Relancé, il montre cette vue jusqu'à ce que le statut le permette.", run: "Lancer cette commande ?",
            runAndRestart: "Lancer cette commande et relancer {name} ?", runShort: "Lancer ?", runWord: "lancer",
            notRun: "la commande n'a pas été lancée", restarts: "Ensuite, {name} est terminé et relancé.",
            starts: "Ensuite, {name} démarre.", start: "Relancer {name} ?", startShort: "Relancer ?",
            startText: "{name} est terminé, et {version} démarre à sa place.", installedVersion: "la version installée",
            startWord: "lancer", notStarted: "{name} n'a pas été relancé", open: "Ouvrir cette adresse ?", openShort: "Ouvrir ?",
            openWord: "ouvrir", notOpened: "l'adresse n'a pas été ouverte",
            wait: ["{key} compte dans un instant · une autre touche revient", "{key} compte dans un instant", "un instant…"],
            anyKey: "autre touche", goesBack: "retour"),
        answers: Answers(
            message: "message", link: "lien", address: "adresse", command: "commande", nothingToCopy: "rien à copier : {name}",
            sent: "envoyé au presse-papiers : {name}",
            noClipboard: "ce terminal n'a pas de presse-papiers accessible", opening: "{name} ouvre le lien",
            noBrowserCopied: "pas de navigateur ici ; lien envoyé au presse-papiers", noBrowser: "pas de navigateur ici",
            noLink: "il n'y a pas de lien", noCommandFor: "aucune commande connue pour {source}",
            noCommand: "aucune commande de mise à jour configurée", tooLong: "trop long à afficher : {name}",
            noRoom: "trop peu de place pour afficher : {name}", noRoomSo: "trop peu de place : {withdrawal}",
            keysIgnored: "touches ignorées ; attendre un instant", noMeaning: "cette touche ne fait rien ici",
            keyWithoutMeaning: "{key} ne fait rien ici", keyForHelp: " · {key} pour l'aide"),
        notices: Notices(
            maintenance: "Maintenance", available: "{version} est disponible",
            newerAvailable: "une version plus récente est disponible",
            required: "{version} est requise", updateRequired: "une mise à jour est requise", inTime: " dans {time}"),
        lines: Lines(
            unknown: "{name} n'a pas de statut connu ({host})", update: "{name} requiert une mise à jour ({host})",
            goBack: "{name} doit revenir à {version} ({host})", paused: "{name} est en pause ({host})",
            pausedUntil: "{name} est en pause, retour : {time} ({host})", getIt: " À obtenir : {link}",
            stopped: "{name} a été arrêté sur cette machine par {author}", endsWithin: "fin dans les {time}",
            notStarted: "pas démarré", versionRequired: "la version {version} est requise"),
        spoken: Spoken(
            source: "Source : {source}",
            simulated: "simulé",
            needs: "Version nécessaire : {version}.",
            keys: "Touches : {keys}",
            checksFail: "Les vérifications échouent : {failure}",
            checksSucceed: "Les vérifications réussissent à nouveau.",
            notConfirmed: "Le statut n'est pas confirmé depuis longtemps.",
            available: "{name} est de nouveau disponible.",
            released: "{name} est libéré."))
}
