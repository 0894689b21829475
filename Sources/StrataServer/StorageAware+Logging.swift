#if Server
  public import Logging
  public import StrataCore

  extension StorageAware {
    /// Logs the events of this chain until the token is cancelled.
    ///
    /// | level | events |
    /// |---|---|
    /// | error | damage |
    /// | warning | failed operations and loads, timeouts, lost loads and leases |
    /// | notice | reconnections |
    /// | info | stale values that are returned in place of a failed load |
    /// | debug | misses, promotions, removals, evictions, expiries, loads |
    /// | trace | hits and writes |
    ///
    /// Events of level `info` and above that differ only in their keys are logged once in `repeatInterval`: a server
    /// that is down is one line, not one for each call. The next line says in `strata.repeated` how many were left out.
    ///
    /// A line never contains a value, nor the text of an error's cause, which may quote one. The metadata is
    /// `strata.store`, `strata.tier`, `strata.count` (of keys, unless it is 1), `strata.duration` (in seconds),
    /// `error.type`, and `server.address` if the error names a server.
    ///
    /// An event whose level the logger ignores costs some nanoseconds. Lines are logged on the thread and in the task
    /// of the operation, often in the turn of the key: the log handler must not use the store, and a slow one delays
    /// it.
    ///
    /// ```swift
    /// users.log(to: Logger(label: "app.cache"), as: "users")
    /// ```
    ///
    /// - Parameters:
    ///   - logger: the logger. Its level when this is called is not remembered: each event asks for the current one.
    ///   - name: the name of the store; by default that of its type.
    ///   - showsKeys: whether a line also contains `strata.key` and, in `error.message`, the message and the location
    ///     of a `StorageError`. Keys are often personal data.
    ///   - repeatInterval: how often equal failures are logged.
    ///   - clock: the clock of that interval.
    @discardableResult
    public func log(
      to logger: Logger, as name: String? = nil, showsKeys: Bool = false,
      repeatInterval: Duration = .seconds(10),
      clock: any Clock<Duration> = ContinuousClock()
    ) -> ObservationToken {
      let store = name ?? storageName
      let repeats = RepeatLimit(repeatInterval, clock)
      return listen { event in
        let level = event.kind.logLevel
        if logger.logLevel > level { return }
        var left = 0
        if level >= .info {
          let kind = RepeatLimit.Kind(
            tier: event.tier, name: event.kind.name, error: event.error.map(errorType))
          guard let leftOut = repeats.next(kind) else { return }
          left = leftOut
        }
        logger.log(
          level: level, "\(event.kind.logMessage)",
          metadata: metadata(of: event, store, left, showsKeys: showsKeys))
      }
    }
  }

  private func metadata(
    of event: StorageEvent<some Sendable>, _ store: String, _ repeated: Int, showsKeys: Bool
  ) -> Logger.Metadata {
    var metadata: Logger.Metadata = ["strata.store": "\(store)", "strata.tier": "\(event.tier)"]
    if event.count != 1 { metadata["strata.count"] = "\(event.count)" }
    if let duration = event.duration { metadata["strata.duration"] = "\(duration / .seconds(1))" }
    if repeated > 0 { metadata["strata.repeated"] = "\(repeated)" }
    if let error = event.error {
      metadata["error.type"] = "\(errorType(error))"
      if let address = (error as? StorageError)?.serverAddress { metadata["server.address"] = "\(address)" }
    }
    guard showsKeys else { return metadata }
    if let key = event.key { metadata["strata.key"] = "\(key)" }
    if let error = event.error as? StorageError {
      metadata["error.message"] = "\(error.message)\(error.place.map { " [at: \($0)]" } ?? "")"
    }
    return metadata
  }
#endif
