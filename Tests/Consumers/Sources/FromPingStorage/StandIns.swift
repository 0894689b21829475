import Foundation
import Strata

// The guide names these lines.
typealias Storage = ItemStorage

class MemoryStorage<T: Codable & Sendable>: StorageDelegate<T>, @unchecked Sendable {
  init(cacheable: Bool = false) { super.init(delegate: Memory<T>(), cacheable: cacheable) }
  init(cacheStrategy: CacheStrategy) { super.init(delegate: Memory<T>(), cacheStrategy: cacheStrategy) }
}

/// The stored type.
struct Item: Codable, Equatable {
  var name: String
}

struct Unreachable: Error {}

/// A store that can be made to fail, in place of the stores that the samples name.
actor FailingStorage: Storage {
  private var item: Item?
  private var fails = false
  private(set) var reads = 0

  /// Creates a store. `of` returns the last store that was created for an account.
  init(account: String = "") { Accounts.shared.add(self, account) }

  static func of(_ account: String) -> FailingStorage { Accounts.shared[account] }

  func fail() { fails = true }
  func mend() { fails = false }
  /// Changes the item past the delegate.
  func store(_ new: Item) { item = new }

  func save(item: Item) async throws {
    if fails { throw Unreachable() }
    self.item = item
  }

  func get() async throws -> Item? {
    reads += 1
    if fails { throw Unreachable() }
    return item
  }

  func delete() async throws {
    if fails { throw Unreachable() }
    item = nil
  }
}

typealias KeychainStorage = FailingStorage
typealias RemoteStorage = FailingStorage
typealias NetworkStorage = FailingStorage
typealias NetworkKeychain = FailingStorage

final class Accounts: @unchecked Sendable {
  static let shared = Accounts()
  private let lock = NSLock()
  private var stores: [String: FailingStorage] = [:]

  func add(_ store: FailingStorage, _ account: String) { lock.withLock { stores[account] = store } }
  subscript(_ account: String) -> FailingStorage {
    lock.withLock {
      guard let store = stores[account] else { preconditionFailure("no store for \(account)") }
      return store
    }
  }
}
