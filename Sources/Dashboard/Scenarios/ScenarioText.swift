/// The messages of the ready scenarios.
enum ScenarioText {
    static let short = """
        We are moving the catalogue to a new home.
        Nothing you did is lost. Back around 14:30 UTC.
        """

    static let chinese = """
        服务正在维护，预计下午两点半恢复。您的数据是安全的，请不要关闭程序。
        如有紧急情况，请联系值班工程师：support@example.com。感谢您的耐心等待！
        """

    static let mixed = """
        🚧 Back soon 👩🏽‍🔧🧰 — thank you for your patience 🙏🏾 🇪🇺
        الخدمة متوقفة مؤقتاً، وسنعود قريباً.
        השירות מושהה זמנית. נחזור בקרוב.
        Zażółć gęślą jaźń; e\u{301}tude, cre\u{300}me bru\u{302}le\u{301}e.
        """

    /// Tries to clear the screen, to fake a live state, to retitle the window and to turn the text round.
    static let hostile = """
        \u{1B}[2J\u{1B}[H\u{1B}[32m● LIVE  all is well\u{1B}[0m
        \u{1B}]0;owned\u{07}\u{1B}]52;c;cm0gLXJmIH4=\u{07}
        Pay at \u{202E}moc.elpmaxe\u{202C} \u{2066}now\u{2069}\u{200B}\u{FEFF}
        tab\there, bell\u{07}, backspace\u{08}\u{08}\u{08}, CSI \u{9B}31m, delete\u{7F}
        """

    static let captivePortal = """
        <!DOCTYPE html>
        <html><head><title>Welcome to Station Wi-Fi</title></head>
        <body><h1>Welcome!</h1><p>Please accept the terms of use to go online.</p></body></html>
        """

    /// Longer than a screen of 24 rows at any width up to 72 columns.
    static let long: String = {
        let steps = (1...12).map { "\($0). \(work[($0 - 1) % work.count])" }.joined(separator: "\n")
        return """
            Planned maintenance of the order service

            We are replacing the storage under the order service. While that goes on, orders can be neither placed \
            nor changed. Nothing that you have entered is lost: what was saved before the pause is saved, and what \
            was not is kept on this machine and sent when the service is back.

            What is being done, in this order:

            \(steps)

            Each step is checked before the next begins. Should one of them fail, we go back to the old storage, \
            and the service returns as it was before; you would then see another notice for a later day.

            If you need an order out of the door today, ring the warehouse. The number is on the notice board and \
            on every delivery note. Have the order number ready; the warehouse sees the state of yesterday evening.

            Thank you for your patience. This notice disappears by itself when the service is back: you need not \
            restart the program, and it does not matter whether you leave it open.
            """
    }()

    private static let work = [
        "Stop new orders and wait for those under way.",
        "Copy the order book, and compare every row of it.",
        "Switch the readers over, first the reports, then the shops.",
        "Switch the writers over, one warehouse at a time.",
    ]
}
