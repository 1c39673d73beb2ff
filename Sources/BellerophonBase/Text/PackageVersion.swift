/// The version of this package (Semantic Versioning). CHANGELOG.md names the same one first, which a test checks.
package enum PackageVersion {
    package static let text = "0.1.0"
}
