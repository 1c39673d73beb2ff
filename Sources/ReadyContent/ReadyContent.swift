/// The content that ships with the package, inside the code: a moved binary still has it.
package enum ReadyContent {
    /// Title and links of the dashboard, as JSON.
    package static let dashboard = PackageResources.dashboard_json
    /// What the help page says above the keys, as text.
    package static let help = PackageResources.help_txt

    /// What the simulated content server has in place of the shipped content.
    package enum Simulated {
        package static let dashboard = PackageResources.simulated_dashboard_json
        package static let help = PackageResources.simulated_help_txt
        /// What it adds to the ready scenarios.
        package static let scenarios = PackageResources.simulated_scenarios_json
    }
}
