#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// A store that remembers the name of the call that failed, since an error alone does not contain it.
struct NamedCalls: UpdateableStorage, ConditionalStorage, CountingStorage {
  let base: any StorageAware<String, Data>
  /// The last call that threw, with its error as text.
  let failure: Shared<(call: String, error: String)?>

  private func named<R>(_ call: String, _ key: String? = nil, _ body: () async throws -> R) async throws -> R
  {
    do { return try await body() } catch {
      let failed = (key.map { "\(call) of the key \(shown($0))" } ?? call, "\(error)")
      failure.change { $0 = failed }
      throw error
    }
  }

  var clock: StorageClock { base.clock }
  var invalidationSource: InvalidationSource<String>? { base.invalidationSource }
  func peek(forKey key: String) -> Entry<Data>? { base.peek(forKey: key) }

  func entryIfPresent(forKey key: String) async throws -> Entry<Data>? {
    try await named("a read", key) { try await base.entryIfPresent(forKey: key) }
  }
  func expiryIfPresent(forKey key: String) async throws -> Expiry? {
    try await named("expiryIfPresent", key) { try await base.expiryIfPresent(forKey: key) }
  }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) async throws {
    try await named("setObject", key) { try await base.setObject(object, forKey: key, expiry: expiry) }
  }
  func replaceObject(_ object: Data, forKey key: String, expiry: Expiry?) async throws {
    try await named("replaceObject", key) {
      try await base.replaceObject(object, forKey: key, expiry: expiry)
    }
  }
  func removeObject(forKey key: String) async throws {
    try await named("removeObject", key) { try await base.removeObject(forKey: key) }
  }
  func removeInMemoryObject(forKey key: String) async throws {
    try await named("removeInMemoryObject", key) { try await base.removeInMemoryObject(forKey: key) }
  }
  func removeAll() async throws { try await named("removeAll") { try await base.removeAll() } }
  func removeExpiredObjects() async throws {
    try await named("removeExpiredObjects") { try await base.removeExpiredObjects() }
  }
  func keys() async throws -> [String] { try await named("keys()") { try await base.keys() } }
  func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<String> {
    try await named("keyPage") { try await base.keyPage(after: cursor, limit: limit) }
  }
  func entries(forKeys keys: [String]) async throws -> [String: Entry<Data>] {
    try await named("entries(forKeys:)") { try await base.entries(forKeys: keys) }
  }
  func setObjects(_ objects: [String: Data], expiry: Expiry?) async throws {
    try await named("setObjects") { try await base.setObjects(objects, expiry: expiry) }
  }
  func setEntries(_ entries: [String: Entry<Data>]) async throws {
    try await named("setEntries") { try await base.setEntries(entries) }
  }
  func removeObjects(forKeys keys: [String]) async throws {
    try await named("removeObjects") { try await base.removeObjects(forKeys: keys) }
  }
  func update(forKey key: String, _ modify: (inout Data) throws -> Void) async throws -> Data {
    guard let base = base as? any UpdateableStorage<String, Data> else { throw NotPromised() }
    return try await named("update", key) { try await base.update(forKey: key, modify) }
  }
  func setIfAbsent(_ object: Data, forKey key: String, expiry: Expiry?) async throws -> Bool {
    guard let base = base as? any ConditionalStorage<String, Data> else { throw NotPromised() }
    return try await named("setIfAbsent", key) {
      try await base.setIfAbsent(object, forKey: key, expiry: expiry)
    }
  }
  func touch(forKey key: String, expiry: Expiry) async throws -> Bool {
    guard let base = base as? any ConditionalStorage<String, Data> else { throw NotPromised() }
    return try await named("touch", key) { try await base.touch(forKey: key, expiry: expiry) }
  }
  func increment(forKey key: String, by amount: Int) async throws -> Int {
    guard let base = base as? any CountingStorage<String, Data> else { throw NotPromised() }
    return try await named("increment", key) { try await base.increment(forKey: key, by: amount) }
  }
}

extension Contract {
  /// Checks the promise again, to find out which call throws an error. Returns `nil` if no call throws this time.
  func failingCall(of subject: Subject, _ error: any Error) async throws -> String? {
    let failure = Shared<(call: String, error: String)?>(nil)
    let open = subject.open
    let named = subject.opened { place in
      do { return NamedCalls(base: try await open(place), failure: failure) } catch {
        let text = "\(error)"
        failure.change { $0 = ("the function that opens the store", text) }
        throw error
      }
    }
    let trial = try Trial(of: self, on: named)
    defer { trial.cleanUp() }
    do { try await within(subject.timeLimit) { try await trial.run() } } catch let again {
      // The text of the error may contain the folder's path, which differs in this run, so only the types are compared.
      // The error that ended the check is the last one recorded.
      let isSame = type(of: again) == type(of: error)
      return failure.value.flatMap { isSame && $0.error == "\(again)" ? $0.call : nil }
    }
    return nil
  }
}
