import BellerophonBase
import BellerophonServer
import BellerophonStore
import BellerophonTrust
import Foundation
import SafeText

/// Why a command failed, and what to do about it.
struct CommandError: Error, Equatable, CustomStringConvertible {
    let message: String
    let hint: String?
    /// As in `sysexits.h`.
    let exitCode: Int32
    /// The kind of the store's or the server's problem; nil for another one.
    var problem: ProblemType?

    init(_ message: String, hint: String? = nil, exitCode: Int32) {
        self.message = message
        self.hint = hint
        self.exitCode = exitCode
    }

    var description: String { hint.map { "\(message) (\($0))" } ?? message }

    /// An error in the command line.
    static func usage(_ message: String, hint: String? = nil) -> CommandError {
        CommandError(message, hint: hint, exitCode: SystemExit.usage)
    }

    init(_ error: HTTPError) {
        self.init(error.error, hint: error.hint, exitCode: SystemExit.code(ofHTTP: error.code))
        problem = error.type
    }

    init(_ error: StoreError) {
        self.init(error.message, hint: error.hint, exitCode: SystemExit.code(of: error.kind))
        problem = ProblemType(error.kind)
    }

    /// - Returns: nil for an error that is none of the project's own.
    init?(ofCommand error: any Error) {
        switch error {
        case let failure as CommandError: self = failure
        case let error as StoreError: self.init(error)
        case let error as ServerError: self.init(error.description, exitCode: SystemExit.code(of: error.kind))
        case let error as ConfigurationError: self.init(error.description, exitCode: SystemExit.configuration)
        case let error as SigningKeyError: self.init(error.description, exitCode: SystemExit.code(of: error))
        default: return nil
        }
    }

    /// Writes the message and the hint to standard error.
    func show() {
        Output.writeError("bellerophon-server: \(Output.line(message))")
        if let hint { Output.writeError("  \(Output.line(hint))") }
    }
}

/// The exit codes of `sysexits.h` that are used here.
enum SystemExit {
    static let usage: Int32 = 64
    static let dataError: Int32 = 65
    static let noInput: Int32 = 66
    static let unavailable: Int32 = 69
    static let software: Int32 = 70
    static let cantCreate: Int32 = 73
    static let ioError: Int32 = 74
    static let temporary: Int32 = 75
    static let noPermission: Int32 = 77
    static let configuration: Int32 = 78

    static func code(of kind: StoreError.Kind) -> Int32 {
        switch kind {
        case .invalid: usage
        case .conflict, .overtaken, .standing, .digestMismatch: dataError
        case .notFound, .notAStore: noInput
        case .busy, .unknown, .unconfirmed, .withdrawn: temporary
        case .unavailable: unavailable
        case .full, .damaged: ioError
        case .notPermitted, .needsApproval, .notGranted, .unknownToken, .expiredToken, .forbidden: noPermission
        case .newerStore, .broughtBack: configuration
        case .failed: software
        }
    }

    static func code(of error: SigningKeyError) -> Int32 {
        switch error {
        case .exists, .system("write", _, _): cantCreate
        case .system(_, _, ENOENT): noInput
        case .system(_, _, EACCES): noPermission
        case .system: ioError
        case .noCryptography: unavailable
        case .notKey, .unfit, .notFile, .foreign, .exposed: configuration
        }
    }

    /// - Parameter status: the code of an HTTP error response.
    static func code(ofHTTP status: Int) -> Int32 {
        switch status {
        case 400, 405, 414: usage
        case 401, 403: noPermission
        case 404: noInput
        case 409, 411, 412, 413, 415, 422: dataError
        case 429, 503: temporary
        case 507: ioError
        default: unavailable
        }
    }

    // MARK: The exit codes of `serve`

    // A supervisor restarts the server after all of them except `configuration`, which needs a person's change.

    static let osError: Int32 = 71

    static func code(of kind: ServerError.Kind) -> Int32 {
        switch kind {
        case .configuration: configuration
        case .temporary: temporary
        case .system: osError
        case .disk: ioError
        case .permission: noPermission
        }
    }

    /// - Parameter kind: why the server's store can't be opened. For a server, a missing store is a configuration
    ///   error.
    static func code(ofServing kind: StoreError.Kind) -> Int32 {
        switch kind {
        case .notAStore, .newerStore: configuration
        case .failed: ioError
        default: code(of: kind)
        }
    }
}

/// Output for a person, without control sequences for the terminal.
enum Output {
    /// Converts untrusted text to a single safe line.
    static func line(_ text: String) -> String {
        TextSanitizer.sanitize(text, keepingNewlines: false, limit: 8192)
    }

    /// Writes to standard error.
    static func writeError(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data((TextSanitizer.printable(text) + "\n").utf8))
    }

    /// Writes a command's output to standard output.
    /// - Throws: ``CommandError`` if it can't be written, such as to a full disk.
    static func write(_ text: String) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data((TextSanitizer.printable(text) + "\n").utf8))
        } catch {
            throw CommandError(
                "the output can't be written: \((error as NSError).localizedDescription)",
                hint: "what the command was to do is done", exitCode: SystemExit.ioError
            )
        }
    }

    static func write(json value: some Encodable) throws {
        try write(JSONText.sanitized(try StoreJSON.data(value)))
    }
}
