#if Server
  import StrataCore
  import StrataMemory
  import Testing

  /// A store that looks like Redis to the chain in front of it.
  final class Remote: SimpleStorage {
    struct Down: Error {}

    let storageName = "RedisStorage"
    private let entries = Locked<[String: Int]>([:])
    private let failure = Locked<(any Error)?>(nil)

    func fails(with error: (any Error)?) { failure.withLock { $0 = error } }
    private func check() throws { if let error = failure.withLock({ $0 }) { throw error } }

    func entryIfPresent(forKey key: String) async throws -> Entry<Int>? {
      try check()
      return entries.withLock { $0[key] }.map { Entry(object: $0, expiry: .never) }
    }
    func setObject(_ object: Int, forKey key: String, expiry: Expiry?) async throws {
      try check()
      entries.withLock { $0[key] = object }
    }
    func removeObject(forKey key: String) async throws {
      try check()
      entries.withLock { $0[key] = nil }
    }
    func removeAll() async throws { entries.withLock { $0 = [:] } }
    func removeExpiredObjects() async throws { try check() }
    func keys() async throws -> [String] { entries.withLock { Array($0.keys) } }
  }

  /// A key and a value that must not be found in a log, a metric or a span.
  enum Secret {
    static let key = "ada@example.com"
    static let value = 481_516
    /// An error with both in its texts.
    static let error = StorageError.decodingFailed.with(
      key: key, cause: StorageError(.init("cause"), "\(value) is no name"))

    static func expectNone(
      in text: String, but allowed: String? = nil, _ place: SourceLocation = #_sourceLocation
    ) {
      for secret in [key, "\(value)"] where secret != allowed {
        #expect(!text.contains(secret), sourceLocation: place)
      }
    }
  }
#endif
