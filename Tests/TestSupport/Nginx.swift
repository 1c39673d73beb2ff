import Foundation

/// The nginx of the tests; `make test` finds or downloads it.
public enum Nginx {
    public static let path = ProcessInfo.processInfo.environment["BELLEROPHON_NGINX"].flatMap { $0.isEmpty ? nil : $0 }
    public static let isThere = path != nil
    public static let advice = "BELLEROPHON_NGINX names no nginx; `make test` sets it, or see Scripts/fetch-nginx.sh"

    /// Starts nginx with a minimal main configuration.
    /// - Parameters:
    ///   - site: what the configuration has for HTTP.
    ///   - folder: for its files.
    public static func start(_ site: String, in folder: TestFolder) throws -> RunningProgram {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder.path("temporary-\($0)"));" }.joined(separator: "\n")
        let configuration = try folder.write(
            """
            \(geteuid() == 0 ? "user root;" : "")
            daemon off;
            worker_processes 1;
            pid \(folder.path("nginx.pid"));
            error_log stderr error;
            events { worker_connections 512; }
            http {
                access_log off;
                \(temporary)
                \(site)
            }

            """, to: "nginx.conf")
        return try RunningProgram(path ?? "nginx", ["-p", folder.url.path, "-c", configuration], home: folder)
    }
}
