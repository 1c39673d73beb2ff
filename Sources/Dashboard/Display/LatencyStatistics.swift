import Bellerophon

/// Percentiles of the latencies of answered checks, by the nearest-rank method.
package struct LatencyStatistics: Equatable, Sendable {
    package let median: Duration
    package let p95: Duration
    package let maximum: Duration

    /// Nil if no check was answered.
    package init?(_ samples: [Duration?]) {
        let sorted = samples.compactMap(\.self).sorted()
        guard let last = sorted.last else { return nil }
        maximum = last
        median = Self.percentile(50, of: sorted)
        p95 = Self.percentile(95, of: sorted)
    }

    private static func percentile(_ percent: Int, of sorted: [Duration]) -> Duration {
        let rank = (percent * sorted.count + 99) / 100
        return sorted[min(max(rank - 1, 0), sorted.count - 1)]
    }
}
