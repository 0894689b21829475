/// What a store promises: each case is one promise, with a check of its own.
///
/// A backend's author runs all of them against a store, one test case a promise:
///
/// ```swift
/// import StrataTestKit
/// import Testing
///
/// @Test(arguments: Contract.allCases)
/// func keeps(_ promise: Contract) async throws {
///   try await promise.check(Subject("MyStore", except: [.sortedKeys]) { place in
///     try MyStore(path: place.path + "/entries.db", expiry: place.expiry, clock: place.clock)
///   })
/// }
/// ```
///
/// Promises may be added to the list: a store that ran all of them yesterday is asked for more tomorrow.
public enum Contract: String, CaseIterable, Codable, Sendable {
  // What is stored
  /// What was written is read, in every way there is to read it.
  case reading
  /// What was never written is absent: `nil`, or `.notFound` where a value must be; no other error.
  case absence
  /// A write takes the place of what was there, its expiry included.
  case overwriting
  /// What was removed is absent, nothing else is touched, and to remove what is absent succeeds.
  case removing
  /// `removeAll` removes all, and the store can be used on.
  case removingAll
  /// Values are bytes: none at all, zeros, any pattern; they come back as they were.
  case anyValue
  /// A value of 64 MiB comes back as it was.
  case hugeValue

  // Keys
  /// Any text is a key: empty, long, with slashes, quotes, line breaks or zeros; texts that differ are different keys.
  case anyKey
  /// Texts that are equal in Swift are the same key, however their characters are composed.
  case equalKeys
  /// `keys()` lists what is stored and has not expired, each key once, as it was given.
  case keys
  /// 100 000 keys are stored, listed, read and removed.
  case manyKeys
  /// `keys()` lists keys in ascending order, as Swift sorts strings.
  case sortedKeys

  // Expiry
  /// A value is read until its date and not from that moment on; the entry names that date.
  case expiry
  /// A value that is stored when it has already expired is never read.
  case pastExpiry
  /// Lives shorter than a second are kept as exactly as longer ones.
  case shortExpiry
  /// What is stored without an expiry gets that of the store.
  case ownExpiry
  /// `removeExpiredObjects` removes what has expired and nothing else.
  case sweeping

  // Batches
  /// A batch does what its single operations would do.
  case batches
  /// Of a batch that is written or removed, others see all or nothing, also when it fails or the process dies.
  case atomicBatches

  // Concurrency
  /// Tasks that use keys of their own do not disturb each other.
  case parallelKeys
  /// Operations on one key take effect one after the other, each between its call and its return.
  case linearizability
  /// `update` changes a value as one operation: none is lost, the expiry stays, and what fails changes nothing. Only a
  /// store that is an `UpdateableStorage` promises it.
  case updating
  /// `setIfAbsent` and `touch` decide and write in one step: of several callers at once, one stores. `increment`, of a
  /// `CountingStorage`, loses no call and keeps the expiry. Only a store that is a `ConditionalStorage` promises it.
  case conditions
  /// Called with `await` on its own type, and without, the store does the same as through the protocol. Only a
  /// synchronous store promises it, or one that the test describes with `AwaitedCalls`.
  case bothWorlds
  /// An operation of a cancelled task is done whole, or throws and changes nothing; a read never takes for absent what
  /// is there.
  case cancellation

  // What outlives the store, in a place on disk
  /// A store that is opened again has all that was stored before, with its expiry, and nothing that was removed.
  case reopening
  /// Two stores over one place, in one process, read each other's writes.
  case severalHandles
  /// Two processes over one place read each other's writes.
  case severalProcesses
  /// What was acknowledged is there after the process was killed; what was being written is there whole or not at all.
  case survivingKill
  /// A write for which there is no room throws, and nothing that was stored is lost.
  case fullDisk
  /// Where nothing may be written, a write throws, and what is stored is never taken for absent.
  case readOnlyFolder
}

extension Contract: CustomStringConvertible {
  /// The name of the promise.
  public var description: String { rawValue }
}

extension Set<Contract> {
  /// What a store cannot promise whose entries end with it, one in memory say.
  public static var ofPersistence: Set<Contract> {
    [.reopening, .severalHandles, .severalProcesses, .survivingKill, .fullDisk, .readOnlyFolder]
  }
}
