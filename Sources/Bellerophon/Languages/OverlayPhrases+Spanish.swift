extension OverlayPhrases {
    /// Spanish.
    public static let spanish = OverlayPhrases(
        tag: "es", plural: .one,
        states: States(
            paused: State(
                title: "Servicio en pausa", shortHeadline: nil, word: "PAUSA", still: "sigue en pausa",
                since: "en pausa desde {time}",
                own: "El servicio está en pausa, sin mensaje. Esta vista desaparece sola cuando vuelva el servicio.",
                end: "Esta vista desaparece sola cuando vuelva el servicio."),
            closed: State(
                title: "Estado desconocido", shortHeadline: nil, word: "DESCONOCIDO", still: "sigue desconocido",
                since: "bloqueado desde {time}",
                own: "No se sabe si este programa puede funcionar. Esta vista desaparece sola cuando se conozca el estado.",
                end: "Esta vista desaparece sola cuando se conozca el estado."),
            stopped: State(
                title: "Detenido en este equipo", shortHeadline: nil, word: "DETENIDO", still: "sigue detenido",
                since: "detenido desde {time}",
                own: "Alguien lo ha detenido en este equipo, sin dar un motivo. No ha sido el servicio.",
                end: "No lo ha detenido el servicio. Esta vista desaparece cuando se libere."),
            update: State(
                title: "Actualización necesaria", shortHeadline: nil, word: "ACTUALIZAR", still: "actualización aún necesaria",
                since: "necesaria desde {time}", own: "Esta versión ya no se puede usar.", end: nil),
            broken: State(
                title: "La nueva versión ha fallado", shortHeadline: "FALLO", word: "FALLO", still: "", since: "",
                own: "Se inició tras una actualización y terminó enseguida.", end: nil),
            goBack: State(
                title: "Volver a {version}", shortHeadline: "VOLVER", word: "VOLVER", still: "{version} aún necesaria",
                since: "necesaria desde {time}", own: "Esta versión no se puede usar. Hay que volver a {version}.", end: nil)),
        frame: Frame(
            simulated: "SIMULADO", installed: "{version} instalada", thisMachine: "este equipo", details: "detalles", keys: "teclas",
            keysWait: ["las teclas cuentan en un momento", "un momento…"],
            helpNote: "Ninguna otra tecla llega al programa mientras esta vista lo cubre.", back: "volver", scroll: "desplazar",
            sizeNeeded: "se necesita {size}"),
        keys: Keys(
            checkNow: Key(hint: "comprobar", help: "pedir ahora el estado al servidor"),
            details: Key(hint: "detalles", help: "mostrar u ocultar las últimas comprobaciones"),
            copyMessage: Key(hint: "copiar", help: "copiar el mensaje al portapapeles"),
            openLink: Key(hint: "abrir", help: "abrir el enlace en un navegador"),
            copyLink: Key(hint: "copiar", help: "copiar el enlace al portapapeles"),
            update: Key(hint: "actualizar", help: "ejecutar la orden de actualización y comprobar de nuevo"),
            lookAgain: Key(hint: "buscar", help: "dejar que la fuente busque versiones más nuevas"),
            runCommand: Key(hint: "ejecutar", help: "ejecutar la orden para otra versión y comprobar de nuevo"),
            restartingHelp: "ejecutar la orden y seguir con la nueva versión",
            goOn: Key(hint: "seguir", help: "seguir sin la actualización, que aún no está disponible"),
            start: Key(hint: "iniciar {version}", help: "terminar el programa e iniciar la versión instalada"),
            startAgain: "reiniciar", help: Key(hint: "ayuda", help: "mostrar u ocultar esta lista"),
            scrollUp: "retroceder en un mensaje largo", scrollDown: "avanzar en un mensaje largo",
            toStart: "ir al principio del mensaje", toEnd: "ir al final del mensaje", close: "cerrar los detalles o la ayuda",
            quit: Key(hint: "salir", help: "salir del programa; en una página, volver")),
        status: Status(
            messageFrom: "mensaje de {host}", reasonBy: "motivo dado por {author}", checking: "comprobando…",
            listening: ["⇅ a la escucha; desaparece en cuanto el servidor avise", "⇅ a la escucha del servidor", "⇅ a la escucha", "⇅"],
            nextCheckIn: "próxima comprobación en {time}", nextCheckAt: "próxima comprobación a las {time}",
            againIn: "nueva comprobación en {time}", againAt: "nueva comprobación a las {time}", nextTryIn: "próximo intento en {time}",
            nextTryAt: "próximo intento a las {time}", nextIn: "en {time}", backAt: "Vuelve: {time}", backAtInside: "vuelve: {time}",
            releaseWith: "se libera con {command}", stoppedBy: "detenido desde {time} por {author}",
            fromInside: "{author}, desde el programa",
            alsoStopped: [
                "También está detenido en este equipo, por {whole}; así seguirá.", "Sigue detenido en este equipo, por {author}.",
                "Sigue detenido en este equipo.", "sigue detenido",
            ],
            failed: Counted(
                one: "{count} comprobación fallida", few: "{count} comprobaciones fallidas", other: "{count} comprobaciones fallidas"),
            notConfirmed: "sin confirmar desde hace {age}", lastRun: "conocido de la última ejecución",
            lastRunAge: "conocido de la última ejecución, hace {age}", bundled: "estado incluido con el programa",
            nothingKnown: "no se conoce nada reciente"),
        program: Program(
            own: ["{name} sigue funcionando debajo", "{name} sigue funcionando", "sigue funcionando"],
            busy: [
                "{name} está ocupado y no acepta teclas; Ctrl-C lo termina", "ocupado, sin teclas; Ctrl-C lo termina",
                "ocupado, sin teclas",
            ],
            waitsForRelease: ["{name} no se ha iniciado; se inicia al liberarlo", "{name} no se ha iniciado", "sin iniciar"],
            waitsForStatus: [
                "{name} no se ha iniciado; se inicia cuando el estado lo permita", "{name} no se ha iniciado", "sin iniciar",
            ],
            running: [
                "{name} continúa debajo, y lo no guardado se conserva", "{name} continúa; lo no guardado queda",
                "{name} continúa debajo", "{name} continúa", "continúa",
            ],
            paused: [
                "{name} está detenido y continúa después; lo no guardado se conserva", "{name} está detenido y continúa después",
                "{name} está detenido por ahora", "{name} está detenido", "detenido por ahora",
            ],
            stopped: ["{name} fue detenido, y así sigue cuando esta vista desaparezca", "{name} fue detenido", "detenido"],
            ending: ["terminando {name}", "terminando"],
            endingAtTime: [
                "se pide a {name} que termine, y se le pondrá fin {time}", "{name} se terminará {time}", "{name} termina {time}",
                "termina {time}",
            ],
            inTime: "en {time}", atTime: "a las {time}",
            notHeld: Counted(
                one: "{count} proceso no está detenido", few: "{count} procesos no están detenidos",
                other: "{count} procesos no están detenidos"),
            notHeldShort: "{count} sin detener",
            pausedBut: ["{name} está detenido, pero {held}: {list}", "{name} está detenido, pero {held}"],
            pausedAlone: [
                "{name} está detenido desde {time} y continúa después", "{name} está detenido desde {time}", "{name} está detenido",
                "detenido por ahora",
            ],
            pausedWith: [
                Counted(
                    one: "{name} y {count} proceso más están detenidos desde {time} y continúan después",
                    few: "{name} y {count} procesos más están detenidos desde {time} y continúan después",
                    other: "{name} y {count} procesos más están detenidos desde {time} y continúan después"),
                Counted(
                    one: "{name} y {count} proceso más: detenidos desde {time}",
                    few: "{name} y {count} procesos más: detenidos desde {time}",
                    other: "{name} y {count} procesos más: detenidos desde {time}"),
            ]),
        update: Update(
            needs: "necesita ", orLater: "{version} o posterior", installedUnknown: "no se conoce la versión instalada",
            getIt: "obtener:", run: "ejecutar:", orRun: "o ejecutar:", whereYouGotIt: "Disponible donde se obtuvo {name}.",
            source: "la fuente", newerVersion: "una versión más nueva", looking: "buscando {version}",
            lookingIn: "buscando {version} en {source}", has: "{source} tiene {version}", ready: "{version} está lista",
            hasOnly: "{source} solo tiene {version}", hasNone: "{source} no tiene ninguna versión",
            newerRequired: "se necesita una versión más nueva", required: "se necesita {version}",
            requiredSince: "se necesita {version} desde {time}", problem: "{source}: {problem}",
            unclear: "no se sabe si {version} está disponible", runIt: "ejecutar",
            installedWith: "se instaló con {source}{place}; la otra versión está allí",
            getItThere: "disponible donde se obtuvo{place}", place: " en {path}",
            installedButRuns: "{version} está instalada, pero se ejecuta {running}", installed: "{version} está instalada",
            noVersion: "ninguna", unmoved: "«{command}»: {end}; versión encontrada: {version}{place}",
            unproved: "«{command}»: {end}; no se conoce la versión instalada", failed: "«{command}»: {end}",
            newVersion: "la nueva versión", broken: "{version}, justo tras iniciarse: {end}", startAgain: "reiniciar",
            leave: "q lo deja al shell.", pinned: "{source} debe conservar la versión instalada",
            pinnedRun: "{source} debe conservar la versión instalada; para cambiarlo:",
            copyFirst: "Otra copia va primero en PATH: {path}", copy: "Otra copia en PATH: {path}",
            lookForNewer: "buscar más nuevas:", tryAgain: "reintentar:", goOnUntil: "sin ella se puede seguir hasta {time}:",
            goOn: "seguir", see: "comprobarlo:"),
        questions: Questions(
            end: "¿Terminar {name}?", endWord: "terminar {name}", notEnded: "{name} no se ha terminado",
            mayLoseWork: "Lo no guardado puede perderse.", viewStays: "Al reiniciarlo muestra esta vista hasta que el estado lo permita.",
            run: "¿Ejecutar esta orden?", runAndRestart: "¿Ejecutar esta orden y reiniciar {name}?", runShort: "¿Ejecutar?",
            runWord: "ejecutar", notRun: "la orden no se ha ejecutado", restarts: "Después {name} se termina y se reinicia.",
            starts: "Después se inicia {name}.", start: "¿Reiniciar {name}?", startShort: "¿Reiniciar?",
            startText: "{name} se termina, y {version} se inicia en su lugar.", installedVersion: "la versión instalada",
            startWord: "iniciar", notStarted: "{name} no se ha reiniciado", open: "¿Abrir esta dirección?", openShort: "¿Abrir?",
            openWord: "abrir", notOpened: "la dirección no se ha abierto",
            wait: ["{key} cuenta en un momento · otra tecla vuelve", "{key} cuenta en un momento", "un momento…"],
            anyKey: "otra tecla", goesBack: "volver"),
        answers: Answers(
            message: "mensaje", link: "enlace", address: "dirección", command: "orden", nothingToCopy: "nada que copiar: {name}",
            sent: "enviado al portapapeles: {name}", noClipboard: "este terminal no tiene un portapapeles accesible",
            opening: "{name} abre el enlace", noBrowserCopied: "no hay navegador; enlace enviado al portapapeles",
            noBrowser: "no hay navegador", noLink: "no hay ningún enlace", noCommandFor: "no se conoce una orden para {source}",
            noCommand: "no hay orden de actualización configurada", tooLong: "demasiado largo para mostrarse: {name}",
            noRoom: "poco espacio para mostrar: {name}", noRoomSo: "poco espacio: {withdrawal}",
            keysIgnored: "teclas ignoradas; esperar un momento", noMeaning: "esta tecla no hace nada aquí",
            keyWithoutMeaning: "{key} no hace nada aquí", keyForHelp: " · {key}: ayuda"),
        notices: Notices(
            maintenance: "Mantenimiento", available: "{version} está disponible",
            newerAvailable: "hay una versión más nueva disponible", required: "se necesita {version}",
            updateRequired: "se necesita una actualización", inTime: " en {time}"),
        lines: Lines(
            unknown: "{name} no tiene un estado conocido ({host})", update: "{name} necesita una actualización ({host})",
            goBack: "{name} debe volver a {version} ({host})", paused: "{name} está en pausa ({host})",
            pausedUntil: "{name} está en pausa, vuelve: {time} ({host})", getIt: " Obtener: {link}",
            stopped: "{name} fue detenido en este equipo por {author}", endsWithin: "termina en menos de {time}",
            notStarted: "no iniciado", versionRequired: "se necesita la versión {version}"),
        spoken: Spoken(
            source: "Fuente: {source}",
            simulated: "simulado",
            needs: "Se necesita {version}.",
            keys: "Teclas: {keys}",
            checksFail: "Las comprobaciones fallan: {failure}",
            checksSucceed: "Las comprobaciones vuelven a funcionar.",
            notConfirmed: "El estado no se confirma desde hace mucho.",
            available: "{name} vuelve a estar disponible.",
            released: "{name} está liberado."))
}
