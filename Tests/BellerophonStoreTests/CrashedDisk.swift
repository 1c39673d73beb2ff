import Foundation
import TestSupport
import Testing

/// What a crash of the machine leaves of a folder, in the worst case: of each file the bytes that were synced last, and in each folder
/// the names that it had when it was synced last.
///
/// A library that is loaded before others keeps that beside the folder at each call of `fsync` and `fdatasync` of a process.
struct CrashedDisk {
    private let home: TestFolder
    private let library: String
    private let kept: URL

    init() async throws {
        home = try TestFolder()
        library = home.path("kept.so")
        kept = home.url.appendingPathComponent("kept")
        try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
        let arguments = ["cc", "-shared", "-fPIC", "-o", library, try home.write(Self.code, to: "kept.c"), "-ldl"]
        let compiler = try await runCommand(
            "/usr/bin/env", arguments, environment: ["PATH": ProcessInfo.processInfo.environment["PATH"]], within: patience)
        try #require(compiler.status == .exited(0), "\(compiler.standardError)")
    }

    /// The variables of the process.
    func environment(_ folder: URL) -> [String: String?] {
        ["LD_PRELOAD": library, "KEPT_FOLDER": folder.path, "KEPT": kept.path]
    }

    /// Takes back what was not synced. Files stay the same ones, as after a crash.
    func crash(_ folder: URL) throws {
        let files = FileManager.default
        var present = Set((try? files.contentsOfDirectory(atPath: folder.path)) ?? [])
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        let snapshot = kept.appendingPathComponent("d" + folder.path.replacing("/", with: "|"))
        // A folder that was never synced has no names.
        let names = (try? String(contentsOf: snapshot, encoding: .utf8)) ?? ""
        for line in names.split(separator: "\n") {
            let fields = line.split(separator: " ", maxSplits: 2).map(String.init)
            let target = folder.appendingPathComponent(fields[2])
            present.remove(fields[2])
            if fields[0] == "d" {
                try crash(target)
                continue
            }
            // A file that was never synced is empty.
            let bytes = (try? Data(contentsOf: kept.appendingPathComponent("f" + fields[1]))) ?? Data()
            if !files.fileExists(atPath: target.path) { try Data().write(to: target) }
            let file = try FileHandle(forWritingTo: target)
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: bytes)
            try file.close()
        }
        for name in present { try files.removeItem(at: folder.appendingPathComponent(name)) }
    }

    private static let code = #"""
        #define _GNU_SOURCE
        #include <dirent.h>
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <limits.h>
        #include <pthread.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/stat.h>
        #include <unistd.h>

        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

        static void keep(int descriptor) {
            const char *folder = getenv("KEPT_FOLDER"), *kept = getenv("KEPT");
            char link[64], path[PATH_MAX] = "", target[PATH_MAX * 2], draft[PATH_MAX * 2];
            struct stat facts;
            snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
            if (!folder || !kept || readlink(link, path, sizeof path - 1) < 0 || fstat(descriptor, &facts) != 0) return;
            if (strncmp(path, folder, strlen(folder)) != 0) return;
            pthread_mutex_lock(&lock);
            snprintf(draft, sizeof draft, "%s/draft", kept);
            FILE *copy = fopen(draft, "w");
            if (S_ISDIR(facts.st_mode)) {
                int length = snprintf(target, sizeof target, "%s/d", kept);
                for (const char *next = path; *next; next++) target[length++] = *next == '/' ? '|' : *next;
                target[length] = 0;
                DIR *names = opendir(path);
                for (struct dirent *entry; names && (entry = readdir(names));)
                    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
                        fprintf(copy, "%c %lu %s\n", entry->d_type == DT_DIR ? 'd' : 'f', (unsigned long)entry->d_ino, entry->d_name);
                if (names) closedir(names);
            } else {
                snprintf(target, sizeof target, "%s/f%lu", kept, (unsigned long)facts.st_ino);
                char bytes[65536];
                int file = open(link, O_RDONLY);
                for (ssize_t count; file >= 0 && (count = read(file, bytes, sizeof bytes)) > 0;) fwrite(bytes, 1, count, copy);
                if (file >= 0) close(file);
            }
            fclose(copy);
            rename(draft, target);
            pthread_mutex_unlock(&lock);
        }

        #define SYNC(name) \
            int name(int descriptor) { \
                int (*real)(int) = dlsym(RTLD_NEXT, #name), result = real(descriptor); \
                if (result == 0) keep(descriptor); \
                return result; \
            }
        SYNC(fsync)
        SYNC(fdatasync)
        """#
}
