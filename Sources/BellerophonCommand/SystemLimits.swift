import ArgumentParser
import Foundation

/// The files that this process may still open, and the threads that it may still start.
enum SystemLimits {
    /// What a command with a network takes at most before the first status: the terminal, timers and event queues of the
    /// system, the connections, and the files for the state, the journal and recordings.
    private static let neededFiles = 32
    /// What a check takes before its reply. Without any thread no time limit would end it.
    private static let neededThreads = 6

    /// Refuses to start with too few of them. The system's event loop ends the process with SIGILL if it can't open its own descriptor,
    /// and the process waits for ever for a thread that it can't start.
    static func verify() throws {
        guard let shortage else { return }
        StandardError.print("bellerophon: \(shortage)")
        throw ExitCode(EX_OSERR)
    }

    /// What is missing; nil if there is enough. Counted once, before the program has opened any file.
    private static let shortage: String? = fileShortage ?? threadShortage

    private static var fileShortage: String? {
        var descriptors: [CInt] = []
        defer { for descriptor in descriptors { close(descriptor) } }
        while descriptors.count < neededFiles {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                let advice = errno == EMFILE ? "; raise the limit, for example with `ulimit -n 256`" : reason(errno)
                return "too few open files are allowed: \(neededFiles) are needed and \(descriptors.count) are free\(advice)"
            }
            descriptors.append(descriptor)
        }
        return nil
    }

    private static var threadShortage: String? {
        #if canImport(Darwin)
        // Threads have no limit of the user there.
        return nil
        #else
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        var threads: [pthread_t] = []
        defer {
            close(ends[1])
            for thread in threads { pthread_join(thread, nil) }
            close(ends[0])
        }
        while threads.count < neededThreads {
            var thread = pthread_t()
            let code = pthread_create(&thread, nil, waitForEnd, UnsafeMutableRawPointer(bitPattern: Int(ends[0])))
            guard code == 0 else {
                let advice = code == EAGAIN ? "; raise the limit, for example with `ulimit -u 256`" : reason(code)
                return "too few threads are allowed: \(neededThreads) are needed and \(threads.count) are free\(advice)"
            }
            threads.append(thread)
        }
        return nil
        #endif
    }

    /// The code of a thread that ends with the other end of a pipe.
    private static let waitForEnd: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { descriptor in
        var byte: UInt8 = 0
        while read(CInt(Int(bitPattern: descriptor)), &byte, 1) < 0, errno == EINTR {}
        return nil
    }

    private static func reason(_ code: CInt) -> String { " (\(String(cString: strerror(code))))" }
}
