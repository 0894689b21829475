#if Server
  public import Logging
  public import ServiceLifecycle
  public import StrataCore
  public import StrataLoading

  /// The life of stores as a service: it sweeps expired entries while the program runs, and at a graceful shutdown
  /// waits for loads in flight and pending writes, and closes connections.
  ///
  /// ```swift
  /// let group = ServiceGroup(
  ///   services: [StorageService(of: [users, pages], logger: logger), server],
  ///   gracefulShutdownSignals: [.sigterm], logger: logger)
  /// try await group.run()
  /// ```
  ///
  /// A group shuts its services down in the reverse of their order: put this one before those that use the stores.
  /// `StorageMaintenance` says what shutting down does, and what happens to later calls.
  public struct StorageService: Service {
    /// The maintenance that the service runs.
    public let maintenance: StorageMaintenance

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - stores: the stores, usually whole chains: those inside them are found.
    ///   - sweepInterval: how often expired entries are removed from them; `nil` for never.
    ///   - shutdownLimit: how long shutting down waits for loads in flight and pending writes.
    ///   - logger: logs sweeps that fail, as warnings.
    ///   - clock: the clock of both times.
    public init(
      of stores: [any StorageDesign], sweepInterval: Duration? = .seconds(60),
      shutdownLimit: Duration = .seconds(10), logger: Logger, clock: any Clock<Duration> = ContinuousClock()
    ) {
      maintenance = StorageMaintenance(
        of: stores, sweepInterval: sweepInterval, shutdownLimit: shutdownLimit, clock: clock
      ) { error, store in
        logger.log(
          level: .warning, "a sweep of expired entries failed",
          metadata: ["strata.store": "\(store)", "error.type": "\(errorType(error))"])
      }
    }

    /// Sweeps until the task is cancelled or the program shuts down gracefully, then shuts down.
    ///
    /// Throws `.timedOut` if the limit was reached, and otherwise the first error of a store. The connections are
    /// closed nevertheless. May be called several times.
    public func run() async throws {
      try await withGracefulShutdownHandler {
        try await maintenance.run()
      } onGracefulShutdown: {
        maintenance.stop()
      }
    }
  }
#endif
