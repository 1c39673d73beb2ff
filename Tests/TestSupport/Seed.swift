import BellerophonBase
import Foundation

/// The seeds of random tests: fixed ones in `make test`, and new ones in `make proof`.
///
/// A proof sets `BELLEROPHON_PROOF_SEED=N`. The same N gives the same seeds, and each seed is printed.
public enum Seed {
    /// N; nil if the seeds are the fixed ones.
    public static let proof: UInt64? = {
        guard let text = ProcessInfo.processInfo.environment["BELLEROPHON_PROOF_SEED"], !text.isEmpty else { return nil }
        guard let number = UInt64(text) else { fatalError("BELLEROPHON_PROOF_SEED: expected a number, found \"\(text)\"") }
        return number
    }()

    /// The seed of one test.
    /// - Parameters:
    ///   - name: distinguishes the seeds that follow from one N.
    ///   - fixed: the seed without N.
    /// - Returns: a number below 2³², so that it is a valid `Int` and short to type.
    public static func of(_ name: String, default fixed: UInt64, proof: UInt64? = proof) -> UInt64 {
        guard let proof else { return fixed }
        // The hash values of the standard library differ in each process.
        var generator = SplitMix64(seed: (UInt64(name.fingerprint, radix: 16) ?? 0) ^ proof)
        let seed = generator.next() >> 32
        print("seed of \(name): \(seed), with BELLEROPHON_PROOF_SEED=\(proof)")
        return seed
    }

    /// The seeds of a test that has a case for each of them.
    /// - Parameter fixed: the seeds without N. A proof has four times as many.
    public static func range(_ name: String, default fixed: Range<UInt64>) -> Range<UInt64> {
        let first = of(name, default: fixed.lowerBound)
        return first..<first + UInt64(fixed.count * (proof == nil ? 1 : 4))
    }
}
