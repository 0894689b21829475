import Strata
import Synchronization

// How to observe a loading store with swift-log, swift-metrics and swift-distributed-tracing, in twenty lines each.
// Small substitutes for those packages' types follow, so that the example needs none of them.

/// A substitute for `Logger` of swift-log.
struct Logger {
  enum Level: String { case debug, info, warning }

  func log(_ level: Level, _ message: String, metadata: [String: String] = [:]) {
    print(
      "  \(level.rawValue): \(message) \(metadata.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " "))"
    )
  }
}

/// A substitute for `Counter` and `Timer` of swift-metrics.
final class Meters: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  func count(_ label: String, by amount: Int = 1) { counts.withLock { $0[label, default: 0] += amount } }
  var all: [String: Int] { counts.withLock { $0 } }
}

/// A substitute for `withSpan` of swift-distributed-tracing.
func withSpan<R>(_ name: String, _ body: () async throws -> R) async rethrows -> R {
  print("  span \(name) begins")
  defer { print("  span \(name) ends") }
  return try await body()
}

extension LoadingStorage {
  /// Logs a line for each event that needs attention. The line does not contain the key, which may be confidential.
  func logging(to logger: Logger) -> Task<Void, Never> {
    let events = events
    return Task {
      for await event in events {
        switch event.kind {
        case .failed(let error, let time, let place):
          logger.log(
            .warning, "a load failed: \(error)", metadata: ["time": "\(time)", "place": place.rawValue])
        case .timedOut(let limit):
          logger.log(.warning, "a load took too long", metadata: ["limit": limit.rawValue])
        case .storeFailed(let error): logger.log(.warning, "the store below failed: \(error)")
        case .servedStale: logger.log(.info, "a stale value was returned")
        default: logger.log(.debug, event.kind.name)
        }
      }
    }
  }

  /// Counts the events by kind.
  func counting(in meters: Meters) -> Task<Void, Never> {
    let events = events
    return Task { for await event in events { meters.count("cache.\(event.kind.name)") } }
  }
}

/// Reads through a loading store whose events are logged, counted and traced.
func showObserving() async throws {
  print("A watched store:")
  let meters = Meters()
  let memory = MemoryStorage<String, Cached<Int>>()
  // The loader is a closure: it opens its own span.
  let cache = memory.loading(LoadPolicy(freshFor: .seconds(60))) { request in
    await withSpan("load") { .value(request.key.count) }
  }
  let watchers = [cache.logging(to: Logger()), cache.counting(in: meters)]
  _ = try await cache.object(forKey: "strata")
  _ = try await cache.object(forKey: "strata")
  while meters.all["cache.hit"] == nil { await Task.yield() }
  for watcher in watchers { watcher.cancel() }
  print("  \(meters.all.map { "\($0.key): \($0.value)" }.sorted().joined(separator: ", "))")
}
