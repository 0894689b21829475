import StrataDelegate

#if canImport(Darwin)
  import Dispatch
  import Foundation
#endif

/// The background work of a memory storage: periodic sweeps, and evictions when the system is short of memory or the
/// app goes to the background. It holds the storage weakly and stops when the storage is released.
struct MemoryBackground: ~Copyable, Sendable {
  enum Work: Sendable {
    case sweep
    case react(MemoryEvent)
  }

  /// Performs one unit of work. Returns `false` if the storage has been released.
  typealias Worker = @Sendable (Work) -> Bool

  private let tasks = Locked<[@Sendable () -> Void]>([])

  /// Starts calling `work`: for the sweeps of a configuration, and at the events of the system.
  func start(_ config: MemoryConfig, _ work: @escaping Worker) {
    if let interval = config.sweepInterval, interval > 0 {
      let sweeps = Task.detached(priority: .background) {
        repeat { try await Task.sleep(for: .seconds(interval)) } while work(.sweep)
      }
      tasks.withLock { $0.append { sweeps.cancel() } }
    }
    #if canImport(Darwin)
      let pressure = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical])
      pressure.setEventHandler {
        _ = work(.react(pressure.data.contains(.critical) ? .criticalPressure : .pressure))
      }
      pressure.activate()
      // Unchecked: a dispatch source may be cancelled on any thread.
      nonisolated(unsafe) let source = pressure
      tasks.withLock { $0.append { source.cancel() } }
    #endif
    #if os(iOS) || os(tvOS) || os(visionOS)
      if config.backgroundEviction > 0 {
        // By its text, since the constant is in UIKit, which programs without views need not link.
        let name = Notification.Name("UIApplicationDidEnterBackgroundNotification")
        // Unchecked: an observer may be removed on any thread.
        nonisolated(unsafe) let observer = NotificationCenter.default.addObserver(
          forName: name, object: nil, queue: nil
        ) { _ in _ = work(.react(.background)) }
        tasks.withLock { $0.append { NotificationCenter.default.removeObserver(observer) } }
      }
    #endif
  }

  deinit { for end in tasks.withLock({ $0 }) { end() } }
}

/// An event at which a memory gives space back.
enum MemoryEvent: Sendable, CaseIterable {
  /// The system is short of memory.
  case pressure
  /// The system is about to end programs for want of memory.
  case criticalPressure
  /// The app goes to the background.
  case background
}

extension MemoryConfig {
  /// Returns the fraction of the entries to evict at an event.
  func eviction(at event: MemoryEvent) -> Double {
    switch event {
    case .pressure: 0.5
    case .criticalPressure: 1
    case .background: backgroundEviction
    }
  }
}

extension MemoryStorage {
  func run(_ work: MemoryBackground.Work) {
    switch work {
    case .sweep: reclaimExpired()
    case .react(let event): evict(config.eviction(at: event))
    }
  }
}
