import Bellerophon
import BellerophonBase
import Foundation
import TerminalUI

/// One of several services whose statuses a person watches at the same time.
package struct ServiceDefinition: Equatable, Sendable {
    package let name: String
    /// Its own settings, as the text of a JSON object.
    fileprivate let settings: String
}

extension Configuration {
    /// The maximum number of services.
    static let serviceLimit = 99

    /// The widest name of a service, in columns.
    private static let nameLimit = 40

    /// The settings that a service can have of its own.
    private static let serviceReader = SettingsReader(
        settings.filter { setting in
            ["app.version", "app.facts", "app.installID"].contains(setting.path)
                || ["status.", "trust.", "update."].contains(where: setting.path.hasPrefix)
        })

    /// The configuration of a service: its own settings over the general ones.
    ///
    /// Settings about one particular status are never inherited: addresses, header fields, which may be secrets, the audience,
    /// the bundled status, where to get an update, and the version and the facts of the app.
    package func configuration(of service: ServiceDefinition) -> Configuration {
        var configuration = self
        configuration.services = []
        // The lines are those of other settings with the same path.
        configuration.lines = [:]
        configuration.app = AppInfo(name: service.name)
        configuration.app.installID = app.installID
        configuration.statusURL = nil
        configuration.headers = [:]
        configuration.eventsURL = nil
        configuration.audience = nil
        configuration.bundledStatus = nil
        if let node = try? JSONReader.read(Data(service.settings.utf8)), case .object(let members) = node.value {
            _ = Self.serviceReader.apply(members, to: &configuration)
        }
        return configuration
    }

    /// Checks the rules of every service that involve several settings.
    func checkServices(origin: String) throws(ConfigurationError) {
        for service in services {
            do throws(ConfigurationError) {
                try configuration(of: service).validate(origin: origin)
            } catch {
                let place = place("services")
                throw ConfigurationError(
                    origin: origin, problems: error.problems.map { "\(place)services: \(service.name): \($0)" })
            }
        }
    }

    // MARK: The setting

    static let servicesSetting = Setting<Configuration>.array(
        "services",
        expected:
            "an array of objects, each with a name and the app.version, app.facts, app.installID, status, trust and update of one service",
        "statuses to watch side by side, beside status.url; what a service leaves out of times and trust is as in the rest of "
            + "the file; only in the file"
    ) { items, configuration in
        var (services, problems) = ([ServiceDefinition](), [SettingProblem]())
        for (index, item) in items.enumerated() {
            var own: [SettingProblem] = []
            services += service(item, after: services.map(\.name), &own).map { [$0] } ?? []
            problems += own.map { $0.below("\(index + 1)") }
        }
        if items.count > serviceLimit, let position = items.last?.position {
            problems.append(SettingProblem(at: position, "expected at most \(serviceLimit) services, found \(items.count)"))
        }
        configuration.services = services
        return problems
    }

    private static func service(
        _ node: JSONNode, after names: [String], _ problems: inout [SettingProblem]
    ) -> ServiceDefinition? {
        guard case .object(let members) = node.value else {
            problems.append(SettingProblem(at: node.position, "expected an object, found \(node.typeName)"))
            return nil
        }
        let own = members.filter { $0.name != "name" }
        var configuration = Configuration()
        problems += serviceReader.apply(own, to: &configuration)
        if problems.isEmpty, configuration.statusURL == nil {
            problems.append(SettingProblem("status.url", at: node.position, "expected the address of the service's status"))
        }
        let named = members.first { $0.name == "name" }
        guard case .string(let name)? = named?.node.value, isName(name), !names.contains(name) else {
            let text = "expected a name of its own, on one line of at most \(nameLimit) columns"
            problems.append(SettingProblem("name", at: named?.position ?? node.position, text))
            return nil
        }
        return ServiceDefinition(name: name, settings: JSONNode(.object(own)).compactText())
    }

    private static func isName(_ text: String) -> Bool {
        CellText.width(of: text) > 0 && CellText.width(of: text) <= nameLimit
            && TextSanitizer.sanitize(text, keepingNewlines: false) == text
    }
}
