import Foundation
import TestSupport

/// A headless Chromium with one page, driven over its debugging pipe. Only one thread may use it.
///
/// Chromium reads requests from descriptor 3 and writes replies to descriptor 4; each message is JSON that ends with NUL. A
/// shell connects both to named pipes, because a test can't give a child further descriptors.
final class Browser {
    /// The path of Chromium; nil if it is not installed.
    static let program = Products.find("chromium")

    /// What the page and the browser complained about: errors, warnings and violations of the policy.
    private(set) var problems: [String] = []
    /// Decides on a request that was paused by `Fetch.enable`: true lets its reply be lost.
    var losesReply: (String, String) -> Bool = { _, _ in false }

    private let home: TestFolder
    private let process: RunningProgram
    private let requests: FileHandle
    private let replies: FileHandle
    private var unread = Data()
    private var count = 0
    private var session: String?

    private static let flags = [
        "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions",
        "--disable-background-networking", "--no-first-run", "--no-default-browser-check",
    ]

    init() throws {
        guard let program = Self.program else { throw TestError("chromium is missing: apt-get install chromium") }
        home = try TestFolder()
        let ends = [home.path("requests"), home.path("replies")]
        for end in ends where mkfifo(end, 0o600) != 0 { throw TestError("no named pipe") }
        // Open for both directions, so that no open waits for the other end.
        (requests, replies) = (try Self.open(ends[0]), try Self.open(ends[1]))
        let sandbox = geteuid() == 0 ? ["--no-sandbox"] : []
        process = try RunningProgram(
            "/bin/sh",
            ["-c", #"exec "$@" 3<"$HOME/requests" 4>"$HOME/replies""#, "sh", program] + Self.flags + sandbox + [
                "--user-data-dir=\(home.path("profile"))", "about:blank",
            ], home: home)
        let target = try call("Target.createTarget", ["url": "about:blank"])["targetId"] ?? ""
        session = try call("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"] as? String
        for domain in ["Page", "Runtime", "Log", "Network"] { try call("\(domain).enable") }
    }

    /// Lets the browser's processes end before their folder is removed.
    deinit {
        session = nil
        _ = try? send("Browser.close", [:])
        _ = try? process.waitForEnd(within: .seconds(20))
    }

    private static func open(_ path: String) throws -> FileHandle {
        let descriptor = Foundation.open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw TestError("can't open a named pipe") }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    // MARK: Messages

    @discardableResult
    func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
        let id = try send(method, parameters)
        while true {
            let message = try next(for: method)
            guard message["id"] as? Int == id else { continue }
            if let error = message["error"] { throw TestError("\(method) failed", detail: "\(error)") }
            return message["result"] as? [String: Any] ?? [:]
        }
    }

    @discardableResult
    private func send(_ method: String, _ parameters: [String: Any]) throws -> Int {
        count += 1
        var message: [String: Any] = ["id": count, "method": method, "params": parameters]
        message["sessionId"] = session
        try requests.write(contentsOf: JSONSerialization.data(withJSONObject: message) + [0])
        return count
    }

    /// The next message. Events are handled here.
    private func next(for subject: String) throws -> [String: Any] {
        while true {
            if let end = unread.firstIndex(of: 0) {
                let message = try JSONSerialization.jsonObject(with: unread[unread.startIndex..<end]) as? [String: Any] ?? [:]
                unread = Data(unread[(end + 1)...])
                try handle(message)
                return message
            }
            var poller = pollfd(fd: replies.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&poller, 1, Int32(patience.components.seconds * 1000)) > 0 else {
                throw TestError("no reply to \(subject)", detail: process.log)
            }
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let got = read(replies.fileDescriptor, &bytes, bytes.count)
            guard got > 0 else { throw TestError("the browser's pipe ended", detail: process.log) }
            unread.append(contentsOf: bytes[..<got])
        }
    }

    private func handle(_ message: [String: Any]) throws {
        let parameters = message["params"] as? [String: Any] ?? [:]
        switch message["method"] as? String {
        case "Log.entryAdded":
            let entry = parameters["entry"] as? [String: Any] ?? [:]
            guard let level = entry["level"] as? String, ["error", "warning"].contains(level) else { return }
            problems.append("\(level): \(entry["text"] ?? "") \(entry["url"] ?? "")")
        case "Runtime.exceptionThrown":
            problems.append("exception: \(parameters)")
        case "Runtime.consoleAPICalled":
            problems.append("console: \(parameters["args"] ?? "")")
        case "Fetch.requestPaused":
            let request = parameters["request"] as? [String: Any] ?? [:]
            let id = parameters["requestId"] ?? ""
            if losesReply(request["method"] as? String ?? "", request["url"] as? String ?? "") {
                try send("Fetch.failRequest", ["requestId": id, "errorReason": "ConnectionReset"])
            } else {
                try send("Fetch.continueRequest", ["requestId": id])
            }
        default:
            break
        }
    }

    // MARK: What a person sees and does

    /// - Parameter address: of any kind that a browser opens.
    func open(_ address: String, width: Int, height: Int = 844, scheme: String = "light") throws {
        try call(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600])
        try call(
            "Emulation.setEmulatedMedia", ["features": [["name": "prefers-color-scheme", "value": scheme]]])
        try call("Page.navigate", ["url": address])
    }

    /// The value of an expression of JavaScript.
    @discardableResult
    func value(_ script: String) throws -> Any? {
        let answer = try call("Runtime.evaluate", ["expression": script, "returnByValue": true, "awaitPromise": true])
        if let problem = answer["exceptionDetails"] { throw TestError("\(script) failed", detail: "\(problem)") }
        return (answer["result"] as? [String: Any])?["value"]
    }

    func text(_ script: String) throws -> String? { try value(script) as? String }

    func holds(_ script: String) throws -> Bool { try value("Boolean(\(script))") as? Bool ?? false }

    /// Waits until an expression is true.
    func wait(_ script: String, file: StaticString = #fileID, line: UInt = #line) throws {
        try wait(for: script, file: file, line: line) { try holds(script) }
    }

    func wait(
        for subject: String, file: StaticString = #fileID, line: UInt = #line, _ holds: () throws -> Bool
    ) throws {
        let end = ContinuousClock.now + patience
        while try !holds() {
            guard ContinuousClock.now < end else {
                let seen = (try? text("document.body.innerText")) ?? ""
                throw TestError("no \(subject)", detail: "\(seen)\n\(problems)", at: Place(file: file, line: line))
            }
            usleep(20_000)
        }
    }

    /// Presses and releases a key by its name, such as `Tab` or `k`.
    func press(_ key: String, shift: Bool = false) throws {
        let codes = ["Backspace": 8, "Tab": 9, "Enter": 13, "Escape": 27, "ArrowUp": 38, "ArrowDown": 40]
        let text = key == "Enter" ? "\r" : key.count == 1 ? key : nil
        for kind in ["keyDown", "keyUp"] {
            var parameters: [String: Any] = ["type": kind, "key": key, "modifiers": shift ? 8 : 0]
            if let code = codes[key] {
                parameters["windowsVirtualKeyCode"] = code
                parameters["code"] = key
            }
            if kind == "keyDown" { parameters["text"] = text }
            try call("Input.dispatchKeyEvent", parameters)
        }
    }

    func type(_ text: String) throws {
        for character in text { try press(String(character)) }
    }

    /// The name of the focused element, as a screen reader says it.
    func focused() throws -> String {
        try text(
            """
            (() => { const at = document.activeElement;
              return at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent; })()
            """) ?? ""
    }

    /// Presses Tab until an element with this name has the focus.
    func tab(to name: String, file: StaticString = #fileID, line: UInt = #line) throws {
        var passed: [String] = []
        for _ in 0..<80 {
            try press("Tab")
            passed.append(try focused())
            if passed.last == name { return }
        }
        throw TestError("Tab does not reach \(name)", detail: "\(passed)", at: Place(file: file, line: line))
    }

    /// Reaches an element with this name by Tab, and presses Enter.
    func choose(_ name: String, file: StaticString = #fileID, line: UInt = #line) throws {
        try tab(to: name, file: file, line: line)
        try press("Enter")
    }
}
