#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// A chain under test: how to build it, and which checks it is not ready for.
///
/// ```swift
/// @Sendable func typed(_ back: some SyncStorageAware<String, Data>) -> Storage<String, ChainRecord> {
///   Storage(back: back, transformer: .codable(ChainRecord.self))
/// }
/// let subject = ChainSubject("MyStore, typed") { tiers in
///   let back = tiers.back(try MyStore(path: tiers.path))
///   return TestedChain(typed(back))
/// }
/// ```
public struct ChainSubject: Sendable {
  /// The name shown in messages. Subjects that one test checks need different names.
  public let name: String
  /// How many seconds too early or too late a value may expire.
  public let expiryResolution: Double
  /// The number of seconds after which a check ends, and counts as broken.
  public let timeLimit: Double
  let except: @Sendable (ChainCheck) -> String?
  let open: @Sendable (ChainTiers) async throws -> TestedChain

  /// Describes a chain under test.
  ///
  /// - Parameters:
  ///   - name: the name of the chain in messages.
  ///   - expiryResolution: the number of seconds by which a value may expire too early or too late.
  ///   - timeLimit: the number of seconds after which a check ends, and counts as broken.
  ///   - except: returns the reason for which a check is skipped, which the output of the tests shows, or `nil`.
  ///   - open: builds the chain. Called again for the same path, it builds it over the same back.
  public init(
    _ name: String, expiryResolution: Double = 0, timeLimit: Double = 60,
    except: @escaping @Sendable (ChainCheck) -> String? = { _ in nil },
    open: @escaping @Sendable (ChainTiers) async throws -> TestedChain
  ) {
    self.name = name
    self.except = except
    self.expiryResolution = expiryResolution
    self.timeLimit = timeLimit
    self.open = open
  }
}

/// A value of a chain under test.
///
/// ```swift
/// let transformer = Transformer<ChainRecord>.codable(ChainRecord.self).zlib()
/// ```
public struct ChainRecord: Codable, Hashable, Sendable {
  /// A number, which updates increase.
  public var number: Int
  /// A text that identifies the write.
  public var text: String

  /// Creates a value.
  public init(number: Int = 0, text: String = "") {
    self.number = number
    self.text = text
  }
}

/// A chain under test, with all that a check uses of it.
///
/// ```swift
/// let records = Storage(back: disk, transformer: .codable(ChainRecord.self))
/// var chain = TestedChain(records)
/// chain.numbers = records.transform(to: Int.self)
/// ```
public struct TestedChain: Sendable {
  /// Adds an observer, which calls the closure for each change, and ends with the token.
  public typealias Observe =
    @Sendable (@escaping @Sendable (StorageChange<String>) -> Void) throws -> ObservationToken

  /// The chain.
  public var records: any StorageAware<String, ChainRecord>
  /// A view of the chain with integers as values, which cannot read the records.
  public var numbers: (any StorageAware<String, Int>)?
  /// The chain with integers as values, for `increment`. By default `numbers`.
  public var counters: (any StorageAware<String, Int>)?
  /// A view of the chain with bytes as values, for values in parts.
  public var bytes: (any StorageAware<String, Data>)?
  /// The ways to observe the chain, by name.
  public var observers: [String: Observe] = [:]
  /// Ways to remove a loaded value besides `removeObject`, by name, such as by a tag that its load has given it.
  public var removals: [String: @Sendable (String) async throws -> Void] = [:]
  /// Whether the first tier has copies, which `removeInMemoryObject` drops.
  public var hasFront = true
  /// Whether the chain keeps copies that other processes cannot invalidate. Such a chain may return an old value that
  /// it has read before another process's write.
  public var keepsCopies = false

  /// Describes a chain.
  public init(_ records: any StorageAware<String, ChainRecord>) { self.records = records }
}
