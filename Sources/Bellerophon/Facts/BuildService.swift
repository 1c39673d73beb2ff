/// How a run of a build service (continuous integration) is recognised: by the variables that the services set.
enum BuildService {
    /// Variables of which one with a value is enough.
    private static let variables = [
        "CI", "CONTINUOUS_INTEGRATION", "GITHUB_ACTIONS", "GITLAB_CI", "BUILDKITE", "CIRCLECI", "TRAVIS", "APPVEYOR",
        "TEAMCITY_VERSION", "TF_BUILD", "BITBUCKET_BUILD_NUMBER", "BITRISE_IO", "BUDDY_WORKSPACE_ID", "CIRRUS_CI",
        "CODEBUILD_BUILD_ARN", "DRONE", "FORGEJO_ACTIONS", "GITEA_ACTIONS", "HARNESS_BUILD_ID", "JENKINS_URL", "NETLIFY",
        "SEMAPHORE", "WOODPECKER_CI", "XCS", "bamboo_planKey",
    ]

    /// Values that say no.
    private static let denials = ["", "0", "false", "no", "off"]

    /// A `CI` that says no outweighs every other variable.
    static func isPresent(in environment: [String: String]) -> Bool {
        func isDenied(_ value: String) -> Bool { denials.contains(value.lowercased()) }
        if let value = environment["CI"], !value.isEmpty, isDenied(value) { return false }
        return variables.contains { environment[$0].map { !isDenied($0) } ?? false }
    }
}
