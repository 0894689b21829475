import Foundation
import Strata
import TestSupport
import Testing

/// Operations of other stores inside whose turn a store is written.
enum OuterTurn: CaseIterable, Sendable {
  case update, ownUpdate, memoryUpdate, serial, serialUpdate, combined, backed, zip, cacheStrategy, pushing

  /// Writes 1 under "a" without `await`.
  func write(_ storage: Storage<String, Int>) throws {
    let other = MemoryStorage<String, Int>(dictionary: ["x": 0])
    switch self {
    case .update:
      let around = try Chains(.memoryOnly).open(Int.self)
      try around.setObject(0, forKey: "x")
      try around.update(forKey: "x") { _ in try storage.setObject(1, forKey: "a") }
    case .ownUpdate: try storage.update(forKey: "x") { _ in try storage.setObject(1, forKey: "a") }
    case .memoryUpdate: try other.update(forKey: "x") { _ in try storage.setObject(1, forKey: "a") }
    case .serial: try storage.serial().setObject(1, forKey: "a")
    case .serialUpdate: try other.serial().update(forKey: "x") { _ in try storage.setObject(1, forKey: "a") }
    case .combined: try other.combined(with: storage).setObject(1, forKey: "a")
    case .backed: try storage.backed(by: other).setObject(1, forKey: "a")
    case .zip: try StrataAlgebra.zip(storage, other).setObject((1, 2), forKey: "a")
    case .cacheStrategy: try storage.cacheStrategy(.cache).setObject(1, forKey: "a")
    case .pushing: try other.pushing(to: storage).setObject(1, forKey: "a")
    }
  }
}

@Suite("Observers are called for writes inside the turn of another store") struct ObservedInTurnsTests {
  private final class Observer: Sendable { let heard = Shared<[StorageChange<String>]>([]) }

  @Test("a storage observer, a key observer and a stream receive the change", arguments: OuterTurn.allCases)
  func heard(_ turn: OuterTurn) async throws {
    let storage = try Chains(.memoryOnly).open(Int.self)
    try await storage.setObject(0, forKey: "x")
    let (observer, ofKey) = (Observer(), Observer())
    storage.addStorageObserver(observer) { observer, storage, change in
      // The key's turn has ended before its observers are called.
      #expect(throws: Never.self) { try storage.update(forKey: "a") { #expect($0 == 1) } }
      storage.removeAllStorageObservers()
      observer.heard.change { $0.append(change) }
    }
    storage.addObserver(ofKey, forKey: "a") { observer, _, _ in
      observer.heard.change { $0.append(.add(key: "a")) }
    }
    var changes = storage.changes.makeAsyncIterator()
    try await onThread { try turn.write(storage) }
    await until { !observer.heard.value.isEmpty && !ofKey.heard.value.isEmpty }
    #expect(observer.heard.value == [.add(key: "a")])
    if !ofKey.heard.value.isEmpty { #expect(await changes.next() == .add(key: "a")) }
  }

  @Test("an observer may use the store in whose turn the change was made")
  func reentry() async throws {
    let storage = try Chains(.memoryOnly).open(Int.self)
    let combined = MemoryStorage<String, Int>().combined(with: storage)
    let observer = Observer()
    storage.addStorageObserver(observer) { observer, _, change in
      #expect(throws: Never.self) {
        let value = try combined.object(forKey: "a")
        #expect(value == 1)
      }
      observer.heard.change { $0.append(change) }
    }
    try await onThread { try combined.setObject(1, forKey: "a") }
    await until { observer.heard.value == [.add(key: "a")] }
  }

  @Test("changes inside many turns are reported in order and completely")
  func order() async throws {
    let storage = try Chains(.memoryOnly).open(Int.self)
    let serial = storage.serial()
    let observer = Observer()
    storage.addStorageObserver(observer) { observer, _, change in observer.heard.change { $0.append(change) }
    }
    try await onThread { for number in 0..<2000 { try serial.setObject(number, forKey: "\(number)") } }
    await until { observer.heard.value.count == 2000 }
    #expect(observer.heard.value == (0..<2000).map { .add(key: "\($0)") })
  }
}
