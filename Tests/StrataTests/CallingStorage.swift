import Foundation
import Strata
import TestSupport

/// The function that a store calls from inside its writes and removals.
final class Callback: Sendable {
  private let body = Locked<(@Sendable () async throws -> Void)?>(nil)

  func set(_ new: @escaping @Sendable () async throws -> Void) { body.withLock { $0 = new } }
  func callAsFunction() async throws { try await body.withLock { $0 }?() }
}

/// An asynchronous store whose writes and removals call back before they return.
final class CallingStorage<Value: Sendable>: SimpleStorage {
  let base = DictionaryStorage<String, Value>()
  let callback: Callback

  init(_ callback: Callback) { self.callback = callback }

  func entryIfPresent(forKey key: String) async throws -> Entry<Value>? {
    try await base.entryIfPresent(forKey: key)
  }
  func setObject(_ object: Value, forKey key: String, expiry: Expiry?) async throws {
    try await callback()
    try await base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) async throws {
    try await callback()
    try await base.removeObject(forKey: key)
  }
  func removeAll() async throws { try await base.removeAll() }
  func removeExpiredObjects() async throws { try await base.removeExpiredObjects() }
  func keys() async throws -> [String] { try await base.keys() }
}

/// The links in which an operation takes a turn.
enum OrderedLink: CaseIterable, Sendable {
  case combined, pushing, cached, cachedOnFailure, serial, zipped, face

  func chain(_ callback: Callback) -> any StorageAware<String, Int> {
    let memory = MemoryStorage<String, Int>()
    let store = CallingStorage<Int>(callback)
    return switch self {
    case .combined: memory.combined(with: store)
    case .pushing: memory.pushing(to: store)
    case .cached: store.cacheStrategy(.cache)
    case .cachedOnFailure: store.cacheStrategy(.cacheOnFailure)
    case .serial: store.serial()
    case .zipped: zip(store, memory).mapValues(to: Int.self, mapTo: { $0.0 }, mapFrom: { ($0, $0) })
    case .face:
      AsyncStorage(
        front: MemoryStorage(), back: CallingStorage<Data>(callback), transformer: .codable(Int.self))
    }
  }
}

/// A store of two asynchronous functions, as a user writes it, whose writes call back before they return.
struct CallingPlainStorage: ReadWriteStorage {
  let base = DictionaryStorage<String, Int>()
  let callback: Callback

  func retrieve(forKey key: String) async throws -> Int { try await base.object(forKey: key) }
  func set(_ value: Int, forKey key: String) async throws {
    try await callback()
    try await base.setObject(value, forKey: key)
  }
}

/// The links over stores that are only read and written in which an operation takes a turn.
enum OrderedPlainLink: CaseIterable, Sendable {
  case combined, pushing, serial, zipped

  func store(_ callback: Callback) -> any ReadWriteStorage<String, Int> {
    let store = CallingPlainStorage(callback: callback)
    let other = CallingPlainStorage(callback: Callback())
    return switch self {
    case .combined: other.combined(with: store)
    case .pushing: other.pushing(to: store)
    case .serial: store.serial()
    case .zipped: zip(store, other).mapValues(to: Int.self, mapTo: { $0.0 }, mapFrom: { ($0, $0) })
    }
  }
}

/// A synchronous store whose writes and removals call back before they return.
final class BlockingCallingStorage<Value: Sendable>: SyncSimpleStorage {
  let base = DictionaryStorage<String, Value>()
  private let body = Locked<(@Sendable () throws -> Void)?>(nil)

  func call(_ new: @escaping @Sendable () throws -> Void) { body.withLock { $0 = new } }
  private func callback() throws { try body.withLock { $0 }?() }

  func entryIfPresent(forKey key: String) throws -> Entry<Value>? { try base.entryIfPresent(forKey: key) }
  func setObject(_ object: Value, forKey key: String, expiry: Expiry?) throws {
    try callback()
    try base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) throws {
    try callback()
    try base.removeObject(forKey: key)
  }
  func removeAll() throws { try base.removeAll() }
  func removeExpiredObjects() throws { try base.removeExpiredObjects() }
  func keys() throws -> [String] { try base.keys() }
}

extension OrderedLink {
  /// The same link over a store that is synchronous.
  func chain(over store: BlockingCallingStorage<Int>) -> any SyncStorageAware<String, Int> {
    let memory = MemoryStorage<String, Int>()
    return switch self {
    case .combined: memory.combined(with: store)
    case .pushing: memory.pushing(to: store)
    case .cached: store.cacheStrategy(.cache)
    case .cachedOnFailure: store.cacheStrategy(.cacheOnFailure)
    case .serial: store.serial()
    case .zipped: zip(store, memory).mapValues(to: Int.self, mapTo: { $0.0 }, mapFrom: { ($0, $0) })
    case .face: SyncStorage(store)
    }
  }
}
