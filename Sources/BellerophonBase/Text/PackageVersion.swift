/// The version of this package (Semantic Versioning). `make lint` checks that it is the first version in CHANGELOG.md.
package enum PackageVersion {
    package static let text = "0.1.0"
}
