#if Server
  public import Metrics
  public import ServiceLifecycle
  public import StrataCore

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
#endif
