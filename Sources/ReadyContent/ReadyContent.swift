/// The content that ships with the package, embedded in the binary.
package enum ReadyContent {
    /// Title and links of the dashboard, as JSON.
    package static let dashboard = PackageResources.dashboard_json
    /// The text of the help page above the list of keys.
    package static let help = PackageResources.help_txt

    /// The content of the simulated content server, which replaces the shipped content.
    package enum Simulated {
        package static let dashboard = PackageResources.simulated_dashboard_json
        package static let help = PackageResources.simulated_help_txt
        /// The additional scenarios, besides the ready ones.
        package static let scenarios = PackageResources.simulated_scenarios_json
    }
}
