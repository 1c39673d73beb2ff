import Foundation

/// The lists of files that dpkg keeps for each package. Nothing is started and nothing is changed.
struct DebianPackages {
    /// Which package a file belongs to.
    enum Owner: Equatable {
        /// The package's name, with its architecture if dpkg needs it to tell two packages apart.
        case package(String)
        /// No package has the file.
        case nobody
        /// The machine has no lists, or they can't be read.
        case unknown
    }

    let files: any InstallFiles

    private static let folder = "/var/lib/dpkg"
    /// More packages than any Debian release has.
    private static let packageLimit = 100_000
    /// The largest list of a release has about 5 MB.
    private static let listLimit = 32 << 20
    /// The lists of a machine with every package that a person would install have about 100 MB.
    private static let totalLimit = 256 << 20
    private static let timeLimit = Duration.seconds(10)
    private static let diversionLimit = 1 << 20

    /// Whether dpkg installs programs at such a path. `/usr/local` belongs to the administrator.
    static func mayOwn(_ path: String) -> Bool {
        isSystem(path) || path.hasPrefix("/opt/")
    }

    /// Whether a path is in the part of the file system that belongs to the system's package manager.
    static func isSystem(_ path: String) -> Bool {
        !path.hasPrefix("/usr/local/") && (["/usr/"] + mergedFolders).contains(where: path.hasPrefix)
    }

    private static let mergedFolders = ["/bin/", "/sbin/", "/lib/", "/lib32/", "/lib64/"]

    /// The package that has one of the paths.
    /// - Parameter paths: paths of one program; the owner of an earlier one counts more.
    func owner(of paths: [String]) -> Owner {
        let paths = paths.filter(Self.mayOwn)
        guard !paths.isEmpty else { return .nobody }
        let diversions = diversions
        let wanted = paths.map { path in Wanted(path, diversions) }
        if let diverter = wanted[0].diverter { return .package(diverter) }
        let programs = paths.map { $0.split(separator: "/").last.map(String.init) ?? "" }
        // Most programs are in the package of their name. Only others need the names of all packages.
        if case .package(let package) = search([programs[0]], [wanted[0]]) { return .package(package) }
        guard let names = files.names(in: Self.folder + "/info", limit: Self.packageLimit) else { return .unknown }
        let lists = names.compactMap { $0.hasSuffix(".list") ? String($0.dropLast(5)) : nil }
        return lists.isEmpty ? .unknown : search(Self.ranked(lists, by: programs), wanted)
    }

    /// One path in the spellings that a list may have.
    private struct Wanted {
        /// The lines of a list that name the path.
        var lines: [Needle]
        /// The package whose file at this path is elsewhere, because another file has its place.
        var exception: String?
        /// The package that has put its file in the place of others.
        var diverter: String?

        init(_ path: String, _ diversions: [Diversion]) {
            var spellings = Self.spellings(path)
            if let diversion = diversions.first(where: { spellings.contains($0.target) }) {
                spellings = Self.spellings(diversion.source)
                exception = diversion.package
            } else if let diversion = diversions.first(where: { spellings.contains($0.source) }) {
                // A local diversion leaves the place to a file that belongs to nobody.
                diverter = diversion.package
                if diversion.package == nil { spellings = [] }
            }
            lines = spellings.map { Needle("\n\($0)\n") }
        }

        /// The path below `/usr` and in the root folder: a system whose `/bin` is a link to `/usr/bin` has files of both spellings.
        private static func spellings(_ path: String) -> [String] {
            if path.hasPrefix("/usr/"), DebianPackages.mergedFolders.contains(where: path.dropFirst(4).hasPrefix) {
                return [path, String(path.dropFirst(4))]
            }
            return DebianPackages.mergedFolders.contains(where: path.hasPrefix) ? [path, "/usr" + path] : [path]
        }
    }

    private func search(_ lists: [String], _ wanted: [Wanted]) -> Owner {
        var best: (rank: Int, package: String)?
        var total = 0, isComplete = true
        let end = ContinuousClock.now + Self.timeLimit
        let isMixed = hasSeveralArchitectures
        func plain(_ list: String) -> String { String(list.prefix { $0 != ":" }) }
        for name in lists {
            guard total < Self.totalLimit, ContinuousClock.now < end else {
                isComplete = false
                break
            }
            // The first line of a list is the root folder, and its last line has an end.
            guard let text = files.bytes(of: "\(Self.folder)/info/\(name).list", limit: Self.listLimit) else {
                isComplete = false
                continue
            }
            total += text.count
            let rank = wanted.firstIndex { path in path.exception != plain(name) && path.lines.contains { $0.isIn(text) } }
            if let rank, rank < best?.rank ?? .max { best = (rank, name) }
            if best?.rank == 0 { break }
        }
        if let best { return .package(isMixed ? best.package : plain(best.package)) }
        return isComplete ? .nobody : .unknown
    }

    /// The packages in the order in which their lists are read: those whose name is like that of the program come first.
    private static func ranked(_ lists: [String], by programs: [String]) -> [String] {
        func rank(_ list: String) -> Int {
            let package = list.prefix { $0 != ":" }
            if programs.contains(where: { $0 == package }) { return 0 }
            return programs.contains { package.hasPrefix($0) || $0.hasPrefix(package) } ? 1 : 2
        }
        let ranks = lists.map { ($0, rank($0)) }
        return (0...2).flatMap { wanted in ranks.filter { $0.1 == wanted }.map(\.0).sorted() }
    }

    // MARK: Diversions and architectures

    /// A package, or the administrator, has moved the files of other packages from one path to another.
    private struct Diversion {
        let source: String
        let target: String
        /// nil: the administrator.
        let package: String?
    }

    private var diversions: [Diversion] {
        let text = files.text(of: Self.folder + "/diversions", limit: Self.diversionLimit) ?? ""
        let lines = text.split(separator: "\n").map(String.init)
        return stride(from: 0, to: lines.count - lines.count % 3, by: 3).map { index in
            Diversion(
                source: lines[index], target: lines[index + 1], package: lines[index + 2] == ":" ? nil : lines[index + 2])
        }
    }

    /// Whether the machine may have packages of several architectures. The name of a package then needs its own.
    private var hasSeveralArchitectures: Bool {
        (files.text(of: Self.folder + "/arch", limit: 4096) ?? "").split(separator: "\n").count > 1
    }
}

/// Bytes that are searched for in files, such as a line. None of them is 0.
struct Needle {
    private let text: [CChar]

    init(_ text: String) { self.text = Array(text.utf8CString) }

    /// Whether the bytes contain this text, before the first byte 0.
    func isIn(_ bytes: [UInt8]) -> Bool {
        var bytes = bytes
        bytes.append(0)
        return bytes.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { strstr($0.baseAddress!, text) != nil }
        }
    }
}
