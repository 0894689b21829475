import StrataCore

#if canImport(Darwin)
  import Dispatch
#endif

/// What a memory storage does without being called. It holds the storage weakly and ends with it.
struct MemoryBackground: ~Copyable, Sendable {
  enum Work: Sendable {
    case sweep
    /// Memory is short: so much of what is there should go.
    case evict(Double)
  }

  /// Does some work; `false` where the storage is no more.
  typealias Worker = @Sendable (Work) -> Bool

  private let tasks = Locked<[@Sendable () -> Void]>([])

  /// Calls `work` for a sweep at an interval in seconds, and when the system says that memory is short.
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
