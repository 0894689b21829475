public import StrataCompression

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A store of zstd dictionaries: every dictionary that values were written with, and which one is the newest.
///
/// ```swift
/// let dictionaries = try ZstdDictionaryStore(
///   in: DiskStorage<String>(config: DiskConfig(name: "cities-dictionaries", durability: .power)),
///   training: .automatic())
/// let cities = try Storage<String, City>(
///   diskConfig: DiskConfig(name: "cities"), memoryConfig: MemoryConfig(),
///   transformer: .codable(City.self).zstd(dictionaries: dictionaries))
/// ```
///
/// Use a separate store without a limit: dictionaries must outlive every value written with them. A dictionary is
/// stored before the first value is written with it, and is never removed. Several processes may share the store: each
/// reads the others' values, and writes with its own newest dictionary.
public final class ZstdDictionaryStore: DictionarySource {
  struct State {
    var newest: ZstdDictionary?
    var known: [UInt32: ZstdDictionary] = [:]
    var schedule: TrainingSchedule?
  }

  let state: Locked<State>
  let store: any SyncStorageAware<String, Data>
  let training: ZstdTraining
  let background: @Sendable (@escaping @Sendable () -> Void) -> Void
  let formatName: String

  /// Opens the dictionaries of a store, which may be empty.
  ///
  /// Throws errors of the store, and a `CompressionError` if the newest dictionary is missing or damaged.
  public convenience init<S: SyncStorageAware>(in store: S, training: ZstdTraining = .manual) throws
  where S.Key == String, S.Value == Data {
    try self.init(in: store, training: training) { Self.threads.submit($0) }
  }

  /// - Parameter background: the executor of trainings.
  init(
    in store: any SyncStorageAware<String, Data>, training: ZstdTraining,
    background: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) throws {
    self.store = store
    self.training = training
    self.background = background
    var first = State()
    if let text = try store.objectIfPresent(forKey: Self.newestKey) {
      let id = UInt32(String(decoding: text, as: UTF8.self))
      guard let id, let bytes = try store.objectIfPresent(forKey: Self.key(id)) else {
        throw CompressionError(
          .unknownDictionary,
          "the newest dictionary, \(String(decoding: text, as: UTF8.self)), is missing in \(store.storageName)"
        )
      }
      let dictionary = try Self.dictionary(id, bytes)
      first.newest = dictionary
      first.known[id] = dictionary
    }
    first.schedule = training.values.map {
      TrainingSchedule(values: $0, hasDictionary: first.newest != nil)
    }
    state = Locked(first)
    // Unique, since two stores may have different dictionaries with one number: no other transformer reads these
    // values.
    formatName = "zstd with dictionaries \(UUID().uuidString)"
  }

  /// Runs trainings, one at a time in the process.
  private static let threads = BlockingPool(width: 1)

  /// The dictionary for new values; `nil` if there is none yet.
  public var newest: ZstdDictionary? { state.withLock(\.newest) }

  /// Returns the dictionary with a number, or `nil` if it was never stored here. Reads the store once for each number.
  public func dictionary(_ id: UInt32) throws -> ZstdDictionary? {
    if let known = state.withLock({ $0.known[id] }) { return known }
    guard let bytes = try store.objectIfPresent(forKey: Self.key(id)) else { return nil }
    let dictionary = try Self.dictionary(id, bytes)
    return state.withLock { state in
      if let first = state.known[id] { return first }
      state.known[id] = dictionary
      return dictionary
    }
  }

  /// Returns the numbers of all stored dictionaries, in no particular order.
  public func ids() throws -> [UInt32] {
    try store.keys().compactMap { key in
      key.hasPrefix(Self.prefix) ? UInt32(key.dropFirst(Self.prefix.count)) : nil
    }
  }

  /// Stores a dictionary, and uses it for new values from now on.
  ///
  /// Throws a `CompressionError`, and changes nothing, if a different dictionary with the same number is stored.
  public func add(_ dictionary: ZstdDictionary) throws {
    guard try keep(dictionary) else {
      throw CompressionError(
        .invalidDictionary,
        "another dictionary has the number \(dictionary.id) in \(store.storageName): train it with another number"
      )
    }
    try use(dictionary)
  }
}

extension ZstdDictionaryStore {
  static let prefix = "zstd-dictionary/"
  static let newestKey = prefix + "newest"

  static func key(_ id: UInt32) -> String { prefix + String(id) }

  var place: String { "the dictionary store in \(store.storageName)" }

  private static func dictionary(_ id: UInt32, _ bytes: Data) throws -> ZstdDictionary {
    let dictionary: ZstdDictionary
    do { dictionary = try ZstdDictionary(bytes) } catch {
      throw CompressionError(
        .invalidDictionary, "the bytes that are stored as dictionary \(id) are not a dictionary", cause: error
      )
    }
    guard dictionary.id == id else {
      throw CompressionError(
        .invalidDictionary, "dictionary \(dictionary.id) is stored under the key of dictionary \(id)")
    }
    return dictionary
  }

  /// Stores a dictionary permanently. Returns `false` if a different dictionary with the same number is stored.
  func keep(_ dictionary: ZstdDictionary) throws -> Bool {
    let key = Self.key(dictionary.id)
    // If several processes share the store and store two dictionaries with one number, only the first is stored,
    // provided that the store has conditional writes.
    if let store = store as? any SyncConditionalStorage<String, Data> {
      if try store.setIfAbsent(dictionary.bytes, forKey: key, expiry: .never) { return true }
    } else if try store.objectIfPresent(forKey: key) == nil {
      try store.setObject(dictionary.bytes, forKey: key, expiry: .never)
      return true
    }
    return try store.objectIfPresent(forKey: key) == dictionary.bytes
  }

  /// Uses a dictionary for new values from now on.
  func use(_ dictionary: ZstdDictionary) throws {
    try store.setObject(Data(String(dictionary.id).utf8), forKey: Self.newestKey, expiry: .never)
    state.withLock { state in
      state.known[dictionary.id] = dictionary
      state.newest = dictionary
    }
  }
}
