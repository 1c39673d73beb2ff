extension OverlayPhrases {
    /// Japanese.
    public static let japanese = OverlayPhrases(
        tag: "ja", plural: .none,
        states: States(
            paused: State(
                title: "サービス停止中", shortHeadline: nil, word: "停止中", still: "引き続き停止中", since: "{time} から停止中",
                own: "サービスは停止中です。メッセージはありません。再開するとこの画面は自動的に消えます。",
                end: "サービスが再開するとこの画面は自動的に消えます。"),
            closed: State(
                title: "状態不明", shortHeadline: nil, word: "不明", still: "引き続き不明", since: "{time} から保留中",
                own: "このプログラムを実行してよいか不明です。状態が分かるとこの画面は自動的に消えます。",
                end: "状態が分かるとこの画面は自動的に消えます。"),
            stopped: State(
                title: "このマシンで停止", shortHeadline: nil, word: "停止", still: "引き続き停止中", since: "{time} から停止中",
                own: "このマシンで停止されました。理由の記載はありません。サービスによる停止ではありません。",
                end: "サービスによる停止ではありません。停止が解除されるとこの画面は消えます。"),
            update: State(
                title: "更新が必要です", shortHeadline: nil, word: "要更新", still: "引き続き更新が必要", since: "{time} から必要",
                own: "このバージョンはもう使用できません。", end: nil),
            broken: State(
                title: "新しいバージョンの起動に失敗", shortHeadline: nil, word: "失敗", still: "", since: "",
                own: "更新後に起動しましたが、すぐに終了しました。", end: nil),
            goBack: State(
                title: "{version} に戻す必要があります", shortHeadline: nil, word: "要変更", still: "引き続き {version} が必要",
                since: "{time} から必要", own: "このバージョンは使用できません。{version} に戻してください。", end: nil)),
        frame: Frame(
            simulated: "模擬", installed: "{version} インストール済み", thisMachine: "このマシン", details: "詳細", keys: "キー",
            keysWait: ["まもなくキーが有効になります", "お待ちください…"],
            helpNote: "この画面が覆っている間、他のキーは下のプログラムに届きません。", back: "戻る", scroll: "スクロール",
            sizeNeeded: "{size} が必要"),
        keys: Keys(
            checkNow: Key(hint: "確認", help: "サーバーに今すぐ状態を問い合わせる"),
            details: Key(hint: "詳細", help: "直近の確認の情報を表示または非表示"),
            copyMessage: Key(hint: "コピー", help: "メッセージをクリップボードにコピー"),
            openLink: Key(hint: "開く", help: "リンクをブラウザーで開く"), copyLink: Key(hint: "コピー", help: "リンクをクリップボードにコピー"),
            update: Key(hint: "更新", help: "更新コマンドを実行し、再確認する"),
            lookAgain: Key(hint: "再検索", help: "配布元で新しいバージョンを探す"),
            runCommand: Key(hint: "実行", help: "別のバージョンのコマンドを実行し、再確認する"),
            restartingHelp: "コマンドを実行し、新しいバージョンで続ける",
            goOn: Key(hint: "続行", help: "まだ入手できない更新なしで続ける"),
            start: Key(hint: "{version} を起動", help: "プログラムを終了し、インストール済みのバージョンを起動"), startAgain: "再起動",
            help: Key(hint: "ヘルプ", help: "この一覧を表示または非表示"), scrollUp: "長いメッセージを前へスクロール",
            scrollDown: "長いメッセージを次へスクロール", toStart: "メッセージの先頭へ", toEnd: "メッセージの末尾へ",
            close: "詳細またはヘルプを閉じる", quit: Key(hint: "終了", help: "プログラムを終了。各ページでは戻る")),
        status: Status(
            messageFrom: "{host} からのメッセージ", reasonBy: "{author} による理由", checking: "確認中…",
            listening: ["⇅ 待機中。サーバーから通知があるとすぐに消えます", "⇅ サーバーの通知を待機中", "⇅ 待機中", "⇅"],
            nextCheckIn: "次の確認まで {time}", nextCheckAt: "次の確認 {time}", againIn: "再確認まで {time}",
            againAt: "再確認 {time}", nextTryIn: "再試行まで {time}", nextTryAt: "再試行 {time}", nextIn: "次 {time}",
            backAt: "再開予定 {time}", backAtInside: "再開予定 {time}", releaseWith: "解除: {command}",
            stoppedBy: "{time} から {author} が停止", fromInside: "{author}(プログラム内から)",
            alsoStopped: [
                "このマシンでも {whole} が停止しており、この画面が消えても続きます。", "このマシンでは {author} による停止が続きます。",
                "このマシンでは停止が続きます。", "停止が続きます",
            ],
            failed: Counted(one: "確認に {count} 回失敗", few: "確認に {count} 回失敗", other: "確認に {count} 回失敗"),
            notConfirmed: "{age} 未確認", lastRun: "前回の実行時の情報", lastRunAge: "前回の実行時の情報({age} 前)",
            bundled: "プログラムに付属の状態", nothingKnown: "最近の情報なし"),
        program: Program(
            own: ["{name} は裏で実行中です", "{name} は実行中です", "実行中"],
            busy: ["{name} は処理中でキーを受け付けません。Ctrl-C で終了", "処理中(Ctrl-C で終了)", "処理中"],
            waitsForRelease: ["{name} は未起動です。停止が解除されると起動します", "{name} は未起動です", "未起動"],
            waitsForStatus: ["{name} は未起動です。状態が許せば起動します", "{name} は未起動です", "未起動"],
            running: [
                "{name} は裏で動作を続け、未保存の作業は保たれます", "{name} は継続中、作業は保たれます", "{name} は裏で継続中",
                "{name} は継続中", "継続中",
            ],
            paused: [
                "{name} は一時停止中で、後で再開します。未保存の作業は保たれます", "{name} は一時停止中で、後で再開します",
                "{name} は一時停止中です", "{name} は停止中", "一時停止中",
            ],
            stopped: ["{name} は停止され、この画面が消えても停止したままです", "{name} は停止されました", "停止"],
            ending: ["{name} を終了しています", "終了中"],
            endingAtTime: ["{name} に終了を要求済み。{time}に終了させます", "{name} を{time}に終了", "{time}に終了"],
            inTime: "{time} 後", atTime: " {time} ",
            notHeld: Counted(
                one: "{count} 個のプロセスが停止していません", few: "{count} 個のプロセスが停止していません",
                other: "{count} 個のプロセスが停止していません"),
            notHeldShort: "未停止 {count}", pausedBut: ["{name} は停止中ですが、{held}: {list}", "{name} は停止中ですが、{held}"],
            pausedAlone: ["{name} は {time} から停止中で、後で再開します", "{name} は {time} から停止中", "{name} は停止中", "一時停止中"],
            pausedWith: [
                Counted(
                    one: "{name} と他 {count} 個のプロセスは {time} から停止中で、後で再開します",
                    few: "{name} と他 {count} 個のプロセスは {time} から停止中で、後で再開します",
                    other: "{name} と他 {count} 個のプロセスは {time} から停止中で、後で再開します"),
                Counted(
                    one: "{name} と他 {count} 個は {time} から停止中", few: "{name} と他 {count} 個は {time} から停止中",
                    other: "{name} と他 {count} 個は {time} から停止中"),
            ]),
        update: Update(
            needs: "必要: ", orLater: "{version} 以降", installedUnknown: "インストール済みのバージョンは不明です", getIt: "入手先:",
            run: "実行:", orRun: "または:", whereYouGotIt: "{name} の入手元から入手してください。", source: "配布元",
            newerVersion: "新しいバージョン", looking: "{version} を検索中", lookingIn: "{source} で {version} を検索中",
            has: "{source} に {version} があります", ready: "{version} の準備ができました",
            hasOnly: "{source} には {version} しかありません", hasNone: "{source} にはありません",
            newerRequired: "新しいバージョンが必要です", required: "{version} が必要です", requiredSince: "{time} から {version} が必要です",
            problem: "{source}: {problem}", unclear: "{version} を入手できるか不明です", runIt: "実行",
            installedWith: "{source} でインストール済み{place}。別のバージョンもそこで入手してください",
            getItThere: "入手元から入手してください{place}", place: " ({path})",
            installedButRuns: "{version} はインストール済みですが、{running} が実行中です", installed: "{version} はインストール済みです",
            noVersion: "なし", unmoved: "「{command}」{end}。見つかったバージョン: {version}{place}",
            unproved: "「{command}」{end}。インストール済みのバージョンは不明です", failed: "「{command}」{end}",
            newVersion: "新しいバージョン", broken: "{version} は起動直後に終了: {end}", startAgain: "再起動",
            leave: "q でシェルに戻ります。", pinned: "{source} は現在のバージョンを保持する設定です",
            pinnedRun: "{source} は現在のバージョンを保持する設定です。解除:", copyFirst: "PATH の先頭に別のコピー: {path}",
            copy: "PATH に別のコピー: {path}", lookForNewer: "新しいものを探す:", tryAgain: "再試行:",
            goOnUntil: "更新なしで {time} まで続行可能:", goOn: "続行", see: "確認する:"),
        questions: Questions(
            end: "{name} を終了しますか?", endWord: "{name} を終了", notEnded: "{name} は終了していません",
            mayLoseWork: "未保存の作業が失われる可能性があります。", viewStays: "再び起動しても、状態が変わるまでこの画面が表示されます。",
            run: "このコマンドを実行しますか?", runAndRestart: "このコマンドを実行し、{name} を再起動しますか?",
            runShort: "実行しますか?", runWord: "実行", notRun: "コマンドは実行していません",
            restarts: "その後 {name} を終了し、再起動します。", starts: "その後 {name} を起動します。",
            start: "{name} を再起動しますか?", startShort: "再起動しますか?", startText: "{name} を終了し、代わりに {version} を起動します。",
            installedVersion: "インストール済みのバージョン", startWord: "起動", notStarted: "{name} は再起動していません",
            open: "このアドレスを開きますか?", openShort: "開きますか?", openWord: "開く", notOpened: "アドレスは開いていません",
            wait: ["{key} はまもなく有効 · 他のキーで戻る", "{key} はまもなく有効", "待機…"], anyKey: "他のキー", goesBack: "戻る"),
        answers: Answers(
            message: "メッセージ", link: "リンク", address: "アドレス", command: "コマンド", nothingToCopy: "コピーする{name}がありません",
            sent: "{name}をクリップボードに送りました", noClipboard: "この端末には使えるクリップボードがありません",
            opening: "{name} でリンクを開いています", noBrowserCopied: "ブラウザーがないため、リンクをクリップボードに送りました",
            noBrowser: "ブラウザーがありません", noLink: "リンクがありません", noCommandFor: "{source} のコマンドは不明です",
            noCommand: "更新コマンドは設定されていません", tooLong: "{name}が長すぎて表示できません",
            noRoom: "{name}を表示する場所がありません", noRoomSo: "場所が足りません: {withdrawal}",
            keysIgnored: "キーは無視されました。少しお待ちください", noMeaning: "このキーはここでは無効です",
            keyWithoutMeaning: "{key} はここでは無効です", keyForHelp: " · {key} でヘルプ"),
        notices: Notices(
            maintenance: "メンテナンス", available: "{version} を入手できます", newerAvailable: "新しいバージョンを入手できます",
            required: "{version} が必要です", updateRequired: "更新が必要です", inTime: "({time} 後)"),
        lines: Lines(
            unknown: "{name} の状態は不明です ({host})", update: "{name} は更新が必要です ({host})",
            goBack: "{name} は {version} に戻す必要があります ({host})", paused: "{name} は停止中です ({host})",
            pausedUntil: "{name} は停止中、再開予定 {time} ({host})", getIt: " 入手先: {link}",
            stopped: "{name} はこのマシンで {author} が停止しました", endsWithin: "{time} 以内に終了", notStarted: "未起動",
            versionRequired: "バージョン {version} が必要です"),
        spoken: Spoken(
            source: "情報源:{source}",
            simulated: "シミュレーション",
            needs: "必要なバージョン:{version}",
            keys: "キー:{keys}",
            checksFail: "確認に失敗しています:{failure}",
            checksSucceed: "確認が再び成功しました。",
            notConfirmed: "状態は長い間確認されていません。",
            available: "{name} は再び利用できます。",
            released: "{name} の停止は解除されました。"))
}
