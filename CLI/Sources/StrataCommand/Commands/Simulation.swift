import BenchHarness
import BenchTraces
import CacheSimulation

/// Simulates caches of several sizes for a trace of requests, and formats the results.
struct Simulation {
  private let report: SimulationReport

  /// - Parameter checkpoint: Called before each size. If it throws, the simulation ends.
  init(
    path: String, hasCosts: Bool, sizes: String?, isExact: Bool, checkpoint: () throws -> Void
  ) throws {
    do {
      report = try SimulationReport(
        path: path, hasCosts: hasCosts, sizes: sizes, isExact: isExact, progress: { _ in try checkpoint() })
    } catch let error as UsageError { throw Failure.usage(error.description) } catch let error as TraceError {
      throw Failure(.failed, "failed", error.description)
    }
  }

  /// The curve of hit ratio by size, as an SVG document.
  var picture: String { report.plot.chart.svg }

  var text: String {
    "\(report.facts.wrapped(columns: 80))\n\n\(report.advice)\n\n\(report.table.markdown)\n"
  }

  var json: JSON {
    .object([
      "requests": .integer(report.trace.requests.count), "keys": .integer(report.trace.uniqueCount),
      "bestHitRatio": .number(report.trace.bestHitRatio), "sampled": .bool(report.sampling.factor > 1),
      "sizes": .array(
        report.found.map {
          .object([
            "size": .integer($0.capacity), "hitRatio": .number($0.hitRatio),
            "error": $0.error.map(JSON.number),
            "lru": .number($0.lru),
          ])
        }),
    ])
  }
}
