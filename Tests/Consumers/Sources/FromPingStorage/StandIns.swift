import Foundation
import Strata

// The guide names these lines.
typealias Storage = ItemStorage

class MemoryStorage<T: Codable & Sendable>: StorageDelegate<T>, @unchecked Sendable {
  init(cacheable: Bool = false) { super.init(delegate: Memory<T>(), cacheable: cacheable) }
}

/// What is stored.
struct Item: Codable, Equatable {
  var name: String
}

struct Unreachable: Error {}

/// A store that can be made to fail, in place of those that the samples name.
actor FailingStorage: Storage {
  private var item: Item?
  private var fails = false
  private(set) var reads = 0

  init(account: String = "") {}

  func fail() { fails = true }
  func mend() { fails = false }

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
