extension OverlayPhrases {
    /// Chinese in simplified characters.
    public static let chinese = OverlayPhrases(
        tag: "zh-Hans", plural: .none,
        states: States(
            paused: State(
                title: "服务已暂停", shortHeadline: nil, word: "暂停", still: "仍处于暂停", since: "自 {time} 起暂停",
                own: "服务已暂停,没有附带消息。服务恢复后,此画面会自动消失。", end: "服务恢复后,此画面会自动消失。"),
            closed: State(
                title: "状态未知", shortHeadline: nil, word: "未知", still: "仍未知", since: "自 {time} 起锁定",
                own: "尚不清楚此程序是否可以运行。得知状态后,此画面会自动消失。", end: "得知状态后,此画面会自动消失。"),
            stopped: State(
                title: "已在本机停止", shortHeadline: nil, word: "已停止", still: "仍处于停止", since: "自 {time} 起停止",
                own: "有人在本机停止了它,未说明原因。并非服务所为。", end: "并非服务停止了它。解除停止后,此画面会消失。"),
            update: State(
                title: "需要更新", shortHeadline: nil, word: "需更新", still: "仍需要更新", since: "自 {time} 起需要",
                own: "此版本已不能使用。", end: nil),
            broken: State(
                title: "新版本启动失败", shortHeadline: nil, word: "失败", still: "", since: "", own: "它在更新后启动,但立即结束了。",
                end: nil),
            goBack: State(
                title: "需要退回 {version}", shortHeadline: nil, word: "需退回", still: "仍需要 {version}", since: "自 {time} 起需要",
                own: "此版本不能使用。请退回 {version}。", end: nil)),
        frame: Frame(
            simulated: "模拟", installed: "已安装 {version}", thisMachine: "本机", details: "详情", keys: "按键",
            keysWait: ["按键即将生效", "请稍候…"], helpNote: "此画面覆盖期间,其他按键不会传到下面的程序。", back: "返回", scroll: "滚动",
            sizeNeeded: "需要 {size}",
            moreLines: Counted("行"),
            unusableAddress: "地址不可用", unknownHost: "未知主机", badCertificate: "证书无效", notSecure: "此处没有 TLS", notFound: "此处没有内容 (404)"
        ),
        keys: Keys(
            checkNow: Key(hint: "检查", help: "立即向服务器查询状态"), details: Key(hint: "详情", help: "显示或隐藏最近几次检查的信息"),
            copyMessage: Key(hint: "复制消息", help: "将消息复制到剪贴板"), openLink: Key(hint: "打开链接", help: "在浏览器中打开链接"),
            copyLink: Key(hint: "复制链接", help: "将链接复制到剪贴板"), update: Key(hint: "更新", help: "运行更新命令,然后再次检查"),
            lookAgain: Key(hint: "重新查找", help: "让来源查找更新的版本"),
            runCommand: Key(hint: "运行命令", help: "运行安装其他版本的命令,然后再次检查"), restartingHelp: "运行命令,然后以新版本继续",
            goOn: Key(hint: "继续", help: "更新尚不可得,先不更新继续使用"),
            start: Key(hint: "启动 {version}", help: "结束程序并启动已安装的版本"), startAgain: "重新启动",
            help: Key(hint: "帮助", help: "显示或隐藏此列表"), scrollUp: "向上滚动长消息", scrollDown: "向下滚动长消息",
            toStart: "转到消息开头", toEnd: "转到消息末尾", close: "关闭详情或帮助", quit: Key(hint: "退出", help: "退出程序;在页面中则返回")),
        status: Status(
            messageFrom: "来自 {host} 的消息", reasonBy: "{author} 给出的原因", checking: "正在检查…",
            listening: ["⇅ 正在监听,服务器一通知此画面就会消失", "⇅ 正在监听服务器", "⇅ 监听中", "⇅"], nextCheckIn: "{time} 后检查",
            nextCheckAt: "{time} 检查", againIn: "{time} 后再次检查", againAt: "{time} 再次检查", nextTryIn: "{time} 后重试",
            nextTryAt: "{time} 重试", nextIn: "{time} 后", backAt: "预计恢复 {time}", backAtInside: "预计恢复 {time}",
            releaseWith: "解除命令: {command}", stoppedBy: "自 {time} 起由 {author} 停止", fromInside: "{author}(从程序内部)",
            alsoStopped: [
                "它也在本机被 {whole} 停止,此画面消失后仍然如此。", "它在本机仍被 {author} 停止。", "它在本机仍处于停止。", "本机仍停止",
            ],
            failed: Counted("{count} 次检查失败"), notConfirmed: "{age} 未确认",
            lastRun: "来自上次运行", lastRunAge: "来自上次运行,{age} 前", bundled: "程序自带的状态", nothingKnown: "没有近期的信息",
            clockSlow: "本机时钟慢了 {time}"),
        program: Program(
            own: ["{name} 仍在后台运行", "{name} 仍在运行", "仍在运行"],
            busy: ["{name} 正忙,不接受按键;Ctrl-C 可结束它", "正忙;Ctrl-C 可结束它", "正忙"],
            drawsSoon: "{name} 正忙,继续后会重绘屏幕",
            waitsForRelease: ["{name} 尚未启动;解除停止后启动", "{name} 尚未启动", "尚未启动"],
            waitsForStatus: ["{name} 尚未启动;状态允许后启动", "{name} 尚未启动", "尚未启动"],
            running: ["{name} 在后台继续,未保存的工作会保留", "{name} 继续运行;工作会保留", "{name} 在后台继续", "{name} 继续运行", "继续运行"],
            paused: ["{name} 已停止,之后会继续;未保存的工作会保留", "{name} 已停止,之后会继续", "{name} 暂时停止", "{name} 已停止", "暂时停止"],
            stopped: ["{name} 已被停止,此画面消失后仍然停止", "{name} 已被停止", "已停止"], ending: ["正在结束 {name}", "正在结束"],
            endingAtTime: ["已要求 {name} 结束,将{time}强制结束", "{name} 将{time}结束", "{name} {time}结束", "{time}结束"],
            inTime: "在 {time} 后", atTime: "于 {time} ",
            notHeld: Counted("{count} 个进程未停止"),
            notHeldShort: "{count} 个未停止", pausedBut: ["{name} 已停止,但 {held}: {list}", "{name} 已停止,但 {held}"],
            pausedAlone: ["{name} 自 {time} 起停止,之后会继续", "{name} 自 {time} 起停止", "{name} 已停止", "暂时停止"],
            pausedWith: [
                Counted("{name} 和另外 {count} 个进程自 {time} 起停止,之后会继续"),
                Counted("{name} 和另外 {count} 个进程自 {time} 起停止"),
            ]),
        update: Update(
            needs: "需要 ", orLater: "{version} 或更高", installedUnknown: "已安装的版本未知", getIt: "获取:", run: "运行:", orRun: "或运行:",
            whereYouGotIt: "请从获得 {name} 的地方获取。", source: "来源", newerVersion: "更新的版本", looking: "正在查找 {version}",
            lookingIn: "正在 {source} 中查找 {version}", has: "{source} 有 {version}", ready: "{version} 已就绪",
            hasOnly: "{source} 只有 {version}", hasNone: "{source} 没有它的版本", newerRequired: "需要更新的版本", required: "需要 {version}",
            requiredSince: "自 {time} 起需要 {version}", problem: "{source}: {problem}", unclear: "尚不清楚能否获得 {version}", runIt: "运行",
            installedWith: "它由 {source} 安装{place};请在那里获取其他版本", getItThere: "请从原处获取{place}", place: " ({path})",
            installedButRuns: "已安装 {version},但正在运行 {running}", installed: "已安装 {version}", noVersion: "无",
            unmoved: "“{command}” {end},但找到的版本是 {version}{place}", unproved: "“{command}” {end},但已安装的版本未知",
            failed: "“{command}” {end}", newVersion: "新版本", broken: "{version} 启动后立即结束: {end}", startAgain: "重新启动",
            leave: "按 q 返回 shell。", pinned: "{source} 被设为保留已安装的版本", pinnedRun: "{source} 被设为保留已安装的版本;解除:",
            copyFirst: "PATH 中靠前的另一份: {path}", copy: "PATH 中的另一份: {path}", lookForNewer: "查找更新的版本:", tryAgain: "重试:",
            goOnUntil: "不更新可继续使用到 {time}:", goOn: "继续", see: "亲自查看:"),
        ends: Ends(
            finished: "已完成", notFound: "失败: 找不到命令 (退出码 127)", exited: "失败,退出码 {code}", interrupted: "已中断",
            signaled: "被信号 {signal} 终止", unknown: "以未知方式结束", notStarted: "无法启动: {reason}", late: "未及时结束", full: "输出过多",
            notUnderstood: "输出无法理解", withOutput: "{end} ({line})"),
        obstacles: Obstacles(
            notAsked: "无法查询: {reason}", commandFailed: "{command} {end}", emptyCommand: "为此设置的命令为空",
            commandWithoutVersion: "为此设置的命令未输出版本", indexUnreachable: "无法连接软件包索引", indexUntrusted: "pip 不信任软件包索引",
            indexCertificate: "软件包索引的证书无效", indexReplied: "软件包索引返回 {code}", incomparable: "无法比较的版本: {version}",
            notInstalled: "{package} 未安装", unfinished: "{package} 的安装尚未完成", noCommand: "不是命令", noVersion: "未输出版本",
            missing: "程序的环境中没有 {package}", several: "{path} 中有多个版本的 {package}", ambiguous: "无法确定安装的是哪个 {package}",
            elsewhere: "没有已安装的 {installed}: 它来自别处", stranger: "没有已安装的 {installed},那里的 {package} 来自 {maintainer}: 是另一个软件包",
            unknownMaintainer: "未知的维护者", cannotInstall: "无法安装 {version}: {reason}", tooMany: "需要一起变动的软件包太多",
            wouldRemove: "会删除 {packages}", refused: "apt-get 拒绝"),
        terminal: Terminal(
            looking: "正在查找 {name} 的版本", goesBack: "{name} 退回 {version}", otherVersion: "{name} 的其他版本",
            updatingTo: "正在将 {name} 更新到 {version}", updating: "正在更新 {name}", otherSession: "另一个会话正在更新。",
            otherProcess: "另一个会话 (进程 {process}) 正在更新。", waits: "本会话在等待它。按 Enter 不等待直接返回。", withoutLock: "另一个会话可能同时更新: {reason}",
            noLock: "没有锁: {reason}", notOwnFolder: "没有锁: {path} 不是此用户的文件夹", installedElsewhere: "另一个会话已安装 {version}",
            command: "命令: {end}", update: "更新: {end}", enter: "按 Enter 返回。"),
        questions: Questions(
            end: "结束 {name}?", endWord: "结束 {name}", notEnded: "{name} 未结束", mayLoseWork: "未保存的工作可能会丢失。",
            viewStays: "再次启动后,在状态允许之前仍会显示此画面。", run: "运行此命令?", runAndRestart: "运行此命令并重新启动 {name}?",
            runShort: "运行?", runWord: "运行", notRun: "命令未运行", restarts: "之后 {name} 会结束并重新启动。", starts: "之后 {name} 会启动。",
            start: "重新启动 {name}?", startShort: "重新启动?", startText: "{name} 会结束,{version} 将代替它启动。",
            installedVersion: "已安装的版本", startWord: "启动", notStarted: "{name} 未重新启动", open: "打开此地址?", openShort: "打开?",
            openWord: "打开", notOpened: "地址未打开", wait: ["{key} 即将生效 · 其他键返回", "{key} 即将生效", "稍候…"], anyKey: "其他键",
            goesBack: "返回"),
        answers: Answers(
            message: "消息", link: "链接", address: "地址", command: "命令", nothingToCopy: "没有可复制的{name}", sent: "{name}已发送到剪贴板",
            noClipboard: "此终端没有程序可用的剪贴板", opening: "正在用 {name} 打开链接", noBrowserCopied: "这里没有浏览器;链接已发送到剪贴板",
            noBrowser: "这里没有浏览器", noLink: "没有可打开的链接", noCommandFor: "没有 {source} 的已知命令", noCommand: "未配置更新命令",
            tooLong: "{name}太长,无法显示", noRoom: "空间太小,无法显示{name}", noRoomSo: "空间太小: {withdrawal}", keysIgnored: "按键被忽略,请稍候",
            noMeaning: "此键在这里无效", keyWithoutMeaning: "{key} 在这里无效", keyForHelp: " · {key} 查看帮助",
            cannotRestart: "无法重新启动: {reason}", noFile: "{path} 不存在",
            noPermission: "没有执行 {path} 的权限"),
        notices: Notices(
            maintenance: "维护", available: "{version} 可用", newerAvailable: "有更新的版本可用", required: "需要 {version}",
            updateRequired: "需要更新", inTime: "({time} 后)"),
        lines: Lines(
            unknown: "{name} 状态未知 ({host})", update: "{name} 需要更新 ({host})", goBack: "{name} 必须退回 {version} ({host})",
            paused: "{name} 已暂停 ({host})", pausedUntil: "{name} 已暂停,预计恢复 {time} ({host})", getIt: " 获取: {link}",
            stopped: "{name} 已在本机被 {author} 停止", endsWithin: "将在 {time} 内结束", notStarted: "未启动",
            versionRequired: "需要版本 {version}",
            waiting: "等待状态允许,最长 {time}", asked: "已要求其结束,{time} 后强制结束", continues: "继续运行:没有终端,无法覆盖", pausedWhole: "已暂停,连同其启动的一切",
            cleared: "状态已允许", releasedBy: "{author} 已在本机解除 {name} 的停止", wasEnded: "{name} 已被结束",
            unreadable: "无法读取 {host} 的状态: {failure}", silent: "{time} 内没有来自 {host} 的有效状态",
            lastStatus: "在能够读取之前,{name} 按最后已知的状态{age}运行", old: " ({age} 前)", shippedStatus: "在能够读取之前,{name} 按随设置附带的状态运行",
            uncovered: "在能够读取状态之前,{name} 不会被覆盖", unreadTitle: "{name} · 启动时无法读取其状态",
            live: "{name} 正在运行;没有画面覆盖它。"),
        spoken: Spoken(
            source: "来源: {source}",
            simulated: "模拟",
            needs: "需要版本: {version}",
            keys: "按键: {keys}",
            checksFail: "检查失败: {failure}",
            checksSucceed: "检查已恢复正常。",
            notConfirmed: "状态已长时间未经确认。",
            available: "{name} 已恢复可用。",
            released: "{name} 已解除停止。",
            stop: "。"),
        failures: Failures(
            offline: "离线", noConnection: "无法连接服务器", noName: "找不到服务器", cut: "连接中断", noReply: "响应不完整",
            noReplyWithin: "{time} 内没有完整响应", insecure: "没有安全连接", http: "服务器返回 HTTP {code}", invalid: "响应不是状态",
            untrusted: "状态不可信", tooLarge: "响应过大", redirect: "已拒绝重定向", address: "状态地址无效", stream: "推送中断", noStatus: "没有状态",
            cancelled: "检查已取消"))
}
