import Testing

/// The program that runs the tests. SwiftPM uses it in place of one that it makes from an index of all targets, which takes a sixth of
/// the time of a build.
@main
struct TestMain {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
