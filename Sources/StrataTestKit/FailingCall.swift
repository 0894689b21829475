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

  func read(_ key: String, _ how: How) async throws -> Entry<Data>? {
    try await named(how.contains(.expiryOnly) ? "expiryIfPresent" : "a read", key) {
      try await base.read(key, how)
    }
  }
  func read(_ keys: [String], _ how: How) async throws -> [String: Entry<Data>] {
    try await named("entries(forKeys:)") { try await base.read(keys, how) }
  }
  func change(_ key: String, _ change: StoreChange<Data>, _ how: How) async throws -> Bool {
    if change.kind.isConditional, !(base is any ConditionalStorage) { throw NotPromised() }
    return try await named(change.kind.call, key) { try await base.change(key, change, how) }
  }
  func change(_ batch: StoreBatch<String, Data>, _ how: How) async throws {
    let call =
      switch batch {
      case .set: "setObjects"
      case .setEntries: "setEntries"
      case .remove: "removeObjects"
      }
    try await named(call) { try await base.change(batch, how) }
  }
  func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<String> {
    try await named(limit == .max ? "keys()" : "keyPage") { try await base.list(after: cursor, limit: limit) }
  }
  func clear(_ extent: StoreExtent) async throws {
    try await named(extent == .everything ? "removeAll" : "removeExpiredObjects") {
      try await base.clear(extent)
    }
  }
  func stream(_ key: String, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    try await named("read(forKey:range:)", key) { try await base.stream(key, range, how) }
  }
  func stage(_ key: String, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    let staged = try await named("stage", key) { try await base.stage(key, expiry, how) }
    return LinkedBytes(staged) { commit in try await named("commit(ifAbsent:)", key, commit) }
  }
  func update(forKey key: String, _ modify: (inout Data) throws -> Void) async throws -> Data {
    guard let base = base as? any UpdateableStorage<String, Data> else { throw NotPromised() }
    return try await named("update", key) { try await base.update(forKey: key, modify) }
  }
  func increment(forKey key: String, by amount: Int) async throws -> Int {
    guard let base = base as? any CountingStorage<String, Data> else { throw NotPromised() }
    return try await named("increment", key) { try await base.increment(forKey: key, by: amount) }
  }
}

extension StoreChangeKind {
  /// The name of the function that makes a change of this kind.
  fileprivate var call: String {
    switch self {
    case .set: "setObject"
    case .replace: "replaceObject"
    case .setIfAbsent: "setIfAbsent"
    case .touch: "touch"
    case .remove: "removeObject"
    case .forget: "removeInMemoryObject"
    }
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
