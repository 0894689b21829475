#if Server
  public import Metrics
  public import ServiceLifecycle
  public import StrataCore
  import StrataLoading

  /// The figures of a chain as metrics of swift-metrics, by tier.
  ///
  /// ```swift
  /// let metrics = StorageMetrics(of: users, as: "users")
  /// let group = ServiceGroup(services: [metrics, server], logger: logger)   // Or call `metrics.update()`.
  /// ```
  ///
  /// | metric | type | dimensions beside `store` |
  /// |---|---|---|
  /// | `strata.tier.reads` | counter | `tier`, `found`: `hit` or `miss` |
  /// | `strata.tier.writes`, `.promotions`, `.failures`, `.damage`, `.reconnections` | counter | `tier` |
  /// | `strata.tier.removals` | counter | `tier`, `reason`: `removed`, `evicted` or `expired` |
  /// | `strata.tier.entries`, `.size` | meter | `tier` |
  /// | `strata.load.duration` | recorder, seconds | `error.type` |
  /// | `db.client.operation.duration` | recorder, seconds | `db.system.name`, `db.operation.name`, `error.type` |
  ///
  /// A loading store is the tier `loading`. The last name, its unit and its dimensions are OpenTelemetry's;
  /// `error.type` is there if the operation failed. Dimensions never contain keys.
  ///
  /// Counters and meters change at each `update()`, from counters that the chain keeps anyway, so that hits in memory
  /// cost nothing more. Durations are recorded as operations of servers and loads end.
  public final class StorageMetrics: Service {
    private let readAndAdd: @Sendable () -> Void
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let durations: ObservationToken

    /// Creates the metrics of a chain.
    ///
    /// - Parameters:
    ///   - store: the chain.
    ///   - name: its name, the dimension `store`; by default that of its type.
    ///   - factory: makes the metrics; by default that of the process.
    ///   - interval: how often `run()` updates the counters.
    ///   - clock: the clock of that interval.
    public init<Store: StorageAware>(
      of store: Store, as name: String? = nil, to factory: any MetricsFactory = MetricsSystem.factory,
      every interval: Duration = .seconds(10), clock: any Clock<Duration> = ContinuousClock()
    ) {
      let name = name ?? store.storageName
      let tiers = Locked(
        StorageStatistics(of: store).tiers.map { TierMetrics(of: $0.name, in: name, factory) })
      readAndAdd = {
        tiers.withLock { tiers in
          for (index, now) in StorageStatistics(of: store).tiers.enumerated() where index < tiers.count {
            tiers[index].update(now)
          }
        }
      }
      self.interval = interval
      self.clock = clock
      durations = store.trace(with: OperationDurations(store: name, factory: factory))
    }

    deinit { durations.cancel() }

    /// Adds to the counters what has happened since the last call. Takes some microseconds for each tier.
    public func update() { readAndAdd() }

    /// Updates the counters at each interval, until the task is cancelled or the program shuts down gracefully, and
    /// once more at the end.
    public func run() async throws {
      let updates = Task {
        while true {
          do { try await clock.sleep(for: interval) } catch { return update() }
          update()
        }
      }
      await withTaskCancellationOrGracefulShutdownHandler {
        await updates.value
      } onCancelOrGracefulShutdown: {
        updates.cancel()
      }
    }
  }

  /// The metrics of one tier.
  private struct TierMetrics: Sendable {
    private let counters: [(counter: Counter, value: any KeyPath<TierStatistics, Int> & Sendable)]
    private let meters: [(meter: Meter, value: any KeyPath<TierStatistics, Int?> & Sendable)]
    private var last: TierStatistics?

    init(of tier: String, in store: String, _ factory: any MetricsFactory) {
      let dimensions = [("store", store), ("tier", tier)]
      func counter(_ name: String, _ more: [(String, String)] = []) -> Counter {
        Counter(label: "strata.tier.\(name)", dimensions: dimensions + more, factory: factory)
      }
      counters = [
        (counter("reads", [("found", "hit")]), \.hits), (counter("reads", [("found", "miss")]), \.misses),
        (counter("writes"), \.writes), (counter("promotions"), \.promotions),
        (counter("removals", [("reason", "removed")]), \.removals),
        (counter("removals", [("reason", "evicted")]), \.evictions),
        (counter("removals", [("reason", "expired")]), \.expiries), (counter("failures"), \.failures),
        (counter("damage"), \.damages), (counter("reconnections"), \.reconnections),
      ]
      meters = [("entries", \.count), ("size", \.size)].map { name, value in
        (Meter(label: "strata.tier.\(name)", dimensions: dimensions, factory: factory), value)
      }
    }

    mutating func update(_ now: TierStatistics) {
      for (counter, value) in counters {
        let change = now[keyPath: value] - (last?[keyPath: value] ?? 0)
        if change > 0 { counter.increment(by: change) }
      }
      for (meter, value) in meters { if let value = now[keyPath: value] { meter.set(value) } }
      last = now
    }
  }

  /// Records the durations of operations of servers and of loads.
  private struct OperationDurations: StorageTracing {
    let store: String
    let factory: any MetricsFactory

    func trace<R: Sendable>(_ operation: StorageOperation, _ body: () async throws -> R) async throws -> R {
      let start = ContinuousClock.now
      do {
        let result = try await body()
        record(operation, start.duration(to: .now), error: nil)
        return result
      } catch {
        record(operation, start.duration(to: .now), error: error)
        throw error
      }
    }

    private func record(_ operation: StorageOperation, _ duration: Duration, error: (any Error)?) {
      var dimensions = [("store", store)]
      if let error { dimensions.append(("error.type", errorType(error))) }
      let label: String
      if operation.isLoad {
        label = "strata.load.duration"
      } else if let system = operation.databaseSystem {
        label = "db.client.operation.duration"
        dimensions += [("db.system.name", system), ("db.operation.name", operation.name)]
      } else {
        return
      }
      Recorder(label: label, dimensions: dimensions, factory: factory).record(duration / .seconds(1))
    }
  }
#endif
