import Strata
import TestSupport
import Testing

/// An observer that uses the store from inside its calls, as any worker does: it reads, writes, updates and removes.
final class ChainObserver: Sendable {
  private let worker: ChainWorker
  /// The number of calls that are still to act, and the number of calls that are acting now.
  private let state = Locked((left: 6, running: 0))

  init(_ worker: ChainWorker) { self.worker = worker }

  /// Observes the whole store and one of its keys.
  func observe(_ storage: Storage<String, Int>, _ key: String) {
    storage.addStorageObserver(self) { observer, storage, _ in observer.call(storage) }
    storage.addObserver(self, forKey: key) { observer, storage, _ in observer.call(storage) }
  }

  private func call(_ storage: Storage<String, Int>) {
    let isLeft = state.withLock { state in
      if state.left == 0 { return false }
      state.left -= 1
      state.running += 1
      return true
    }
    if !isLeft { return }
    worker.act(inCallOf: storage)
    state.withLock { $0.running -= 1 }
  }

  /// Prevents further calls from acting, and waits for the current one.
  func end(_ storage: Storage<String, Int>) async {
    state.withLock { $0.left = 0 }
    await until { state.withLock { $0.running == 0 } }
    storage.removeAllStorageObservers()
    storage.removeAllKeyObservers()
  }
}
