import ArgumentParser
import Foundation

/// The number of files that this process may still open.
enum OpenFiles {
    /// What a command with a network takes at most before the first status: the terminal, timers and event queues of the
    /// system, the connections, and the files for the state, the journal and recordings.
    private static let needed = 32

    /// Refuses to start with too few descriptors: the system's event loop ends the process with SIGILL if it can't open its
    /// own.
    static func check() throws {
        guard let shortage else { return }
        StandardError.print("bellerophon: \(shortage)")
        throw ExitCode(EX_OSERR)
    }

    /// What is missing; nil if enough files can be opened. Counted once, before the program has opened any.
    private static let shortage: String? = {
        var descriptors: [CInt] = []
        defer { for descriptor in descriptors { close(descriptor) } }
        while descriptors.count < needed {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return text(code: errno, free: descriptors.count) }
            descriptors.append(descriptor)
        }
        return nil
    }()

    private static func text(code: CInt, free: Int) -> String {
        "too few open files are allowed: \(needed) are needed and \(free) are free"
            + (code == EMFILE ? "; raise the limit, for example with `ulimit -n 256`" : " (\(String(cString: strerror(code))))")
    }
}
