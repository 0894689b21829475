import StrataDelegate

#if canImport(Darwin)
  import Dispatch
#endif

/// The background work of a memory storage: periodic sweeps, and evictions when the system is short of memory. It holds
/// the storage weakly and stops when the storage is released.
struct MemoryBackground: ~Copyable, Sendable {
  enum Work: Sendable {
    case sweep
    /// The system is short of memory: evict this fraction of the entries.
    case evict(Double)
  }

  /// Performs one unit of work. Returns `false` if the storage has been released.
  typealias Worker = @Sendable (Work) -> Bool

  private let tasks = Locked<[@Sendable () -> Void]>([])

  /// Starts calling `work`: for a sweep every `interval` seconds, and when the system reports memory pressure.
  func start(every interval: Double?, _ work: @escaping Worker) {
    if let interval, interval > 0 {
      let sweeps = Task.detached(priority: .background) {
        repeat { try await Task.sleep(for: .seconds(interval)) } while work(.sweep)
      }
      tasks.withLock { $0.append { sweeps.cancel() } }
    }
    #if canImport(Darwin)
      let pressure = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical])
      pressure.setEventHandler { _ = work(.evict(pressure.data.contains(.critical) ? 1 : 0.5)) }
      pressure.activate()
      // Unchecked: a dispatch source may be cancelled on any thread.
      nonisolated(unsafe) let source = pressure
      tasks.withLock { $0.append { source.cancel() } }
    #endif
  }

  deinit { for end in tasks.withLock({ $0 }) { end() } }
}

extension MemoryStorage {
  func run(_ work: MemoryBackground.Work) {
    switch work {
    case .sweep: reclaimExpired()
    case .evict(let part): evict(part)
    }
  }
}
