/// The promises that a store can make. Each case is one promise with its own check.
///
/// The author of a backend runs all of them against a store, one test case per promise:
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
/// New versions may add promises, so a store that passes today may fail a later version.
public enum Contract: String, CaseIterable, Codable, Sendable {
  // Stored values
  /// Every way of reading returns the value that was written.
  case reading
  /// A key that was never written is absent: the result is `nil`, or `.notFound` from functions that return a value. No
  /// other error is thrown.
  case absence
  /// A write replaces the old value and its expiry.
  case overwriting
  /// A removed key is absent, and other keys are unchanged. Removing an absent key succeeds.
  case removing
  /// `removeAll` removes all entries, and the store stays usable.
  case removingAll
  /// Any bytes are returned unchanged: none at all, zeros, any pattern.
  case anyValue
  /// A value of 64 MiB is returned unchanged.
  case hugeValue

  // Values in parts
  /// A value that is written or read a part at a time is a value like all others: written in one way, it is read,
  /// listed, removed and expires in every other. A write whose source throws, or is cancelled, leaves the old value.
  case streams
  /// A range of a value has the bytes that the value has there. The part of the range that lies behind the end is
  /// ignored.
  case ranges
  /// A value that is replaced or removed while it is read in parts is read to its end, or the read throws. The parts of
  /// a writer that is abandoned, or whose process is killed, never become visible.
  case tornStreams

  // Keys
  /// Any string is a key: empty, long, with slashes, quotes, line breaks or zeros. Different strings are different
  /// keys.
  case anyKey
  /// Strings that are equal in Swift are the same key, whatever the composition of their characters.
  case equalKeys
  /// `keys()` lists the keys that are stored and have not expired, each once and unchanged.
  case keys
  /// `keyPage` lists the keys in pages of at most the given size. A key that is stored during the whole iteration is
  /// listed once, whatever others write meanwhile, and the iteration ends. A cursor can be used again.
  case paging
  /// 100 000 keys are stored, listed, read and removed.
  case manyKeys
  /// `keys()` lists keys in ascending order, as Swift sorts strings.
  case sortedKeys

  // Expiry
  /// A value is returned until its expiry date, and not from then on. The entry states that date.
  case expiry
  /// A value that is stored already expired is never returned.
  case pastExpiry
  /// Expiries shorter than a second are kept as exactly as longer ones.
  case shortExpiry
  /// A value stored without an expiry gets the store's default expiry.
  case ownExpiry
  /// `removeExpiredObjects` removes expired entries and no others. A value that is written during a sweep stays.
  case sweeping

  /// Each kind of `StoreChange` has its effect and no other, and reports truly whether it was made. One that is to be
  /// made at once is made, or throws `WouldWait` and changes nothing.
  case changes

  // Batches
  /// A batch has the same effect as its single operations.
  case batches
  /// A batch of entries stores each with its own expiry, and is otherwise like `setObjects`. If the `Subject` says so,
  /// other readers see all of such a batch or nothing.
  case entries
  /// Other readers see all of a written or removed batch or nothing, also when it fails or the process dies.
  case atomicBatches

  // Concurrency
  /// Tasks that use different keys do not affect each other.
  case parallelKeys
  /// Operations on one key take effect one after the other, each between its call and its return.
  case linearizability
  /// `update` is atomic: no update is lost, the expiry stays, and a failed update changes nothing. A write or removal
  /// during an update is not lost either. Only an `UpdateableStorage` makes this promise.
  case updating
  /// `setIfAbsent` and `touch` are atomic: of several concurrent callers, one stores. `increment` of a
  /// `CountingStorage` loses no call and keeps the expiry. Only a `ConditionalStorage` makes this promise.
  case conditions
  /// Called with `await` on its own type, and without, the store behaves as it does through the protocol. Only a
  /// synchronous store makes this promise, or a store described with `AwaitedCalls`.
  case bothWorlds
  /// An operation of a cancelled task is completed, or throws and changes nothing. A read never reports a stored key as
  /// absent.
  case cancellation
  /// Thousands of operations leave no descriptor open and no thread behind. A value that was replaced or removed does
  /// not stay in memory. Checked on Linux.
  case resources
  /// A cached read returns without giving up its thread, and so does every operation of a store that says it does not
  /// block. Checked on Linux, for a synchronous store.
  case blocking
  /// Memory in front of the store receives every change within seconds, whichever store at the location has made it. A
  /// write is announced once. Only a store with an `invalidationSource` makes this promise.
  case announcing
  /// A write that was lost on its way to a server takes effect before all later writes of its key by the same store, or
  /// never. Only a store whose `Subject` can lose writes makes this promise.
  case lostWrites

  // Entries that outlive the store, at a location on disk
  /// A store that is opened again has everything that was stored before, with its expiry, and nothing that was removed.
  case reopening
  /// Two stores at one location, in one process, read each other's writes.
  case severalHandles
  /// Two processes at one location read each other's writes.
  case severalProcesses
  /// Acknowledged writes survive a kill of the process. A write that was in progress is there whole or not at all.
  case survivingKill
  /// A write for which there is no room throws, and no stored entry is lost.
  case fullDisk
  /// Without write permission, a write throws, and stored entries are never reported absent.
  case readOnlyFolder
  /// A read of a damaged entry throws. It is never reported absent, other entries are not affected, and it can be
  /// written again. Only a store whose `Subject` can damage an entry makes this promise.
  case damage
}

extension Contract: CustomStringConvertible {
  /// The name of the promise.
  public var description: String { rawValue }
}

extension Set<Contract> {
  /// The promises that a store cannot make if its entries end with it, such as a store in memory.
  public static var ofPersistence: Set<Contract> {
    [.reopening, .severalHandles, .severalProcesses, .survivingKill, .fullDisk, .readOnlyFolder]
  }
}
