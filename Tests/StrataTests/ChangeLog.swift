import Strata
import TestSupport
import Testing

/// What an observer of a store and of one of its keys has received.
final class ChangeLog: Sendable {
  private let received = Locked<[String]>([])

  init(_ storage: Storage<String, Int>) {
    storage.addStorageObserver(self) { log, _, change in log.note("\(change)") }
    storage.addObserver(self, forKey: "a") { log, _, change in log.note("\(change)") }
  }

  private func note(_ text: String) { received.withLock { $0.append(text) } }

  /// Waits until this number of calls has been made. Returns them, and fails the test if there were more.
  @discardableResult
  func receives(_ count: Int, _ comment: Comment? = nil) async -> [String] {
    await until { received.withLock { $0.count >= count } }
    let all = received.withLock { received in
      defer { received = [] }
      return received
    }
    #expect(all.count == count, comment ?? "\(all)")
    return all
  }
}
