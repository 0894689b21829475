#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// A check of one promise on one store, in its own folder.
struct Trial: Sendable {
  typealias Store = any StorageAware<String, Data>

  let promise: Contract
  let subject: Subject
  let folder: URL
  let time = ManualClock()

  /// Creates a check in a new folder.
  init(of promise: Contract, on subject: Subject) throws {
    let temporary = FileManager.default.temporaryDirectory
    self.init(of: promise, on: subject, in: temporary.appending(path: "strata-kit-\(UUID().uuidString)"))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Creates a check in an existing folder.
  init(of promise: Contract, on subject: Subject, in folder: URL) {
    self.promise = promise
    self.subject = subject
    self.folder = folder
  }

  /// The file with the output of second processes.
  var log: URL { folder.deletingLastPathComponent().appending(path: "\(folder.lastPathComponent).log") }

  func cleanUp() {
    for url in [folder, log] where FileManager.default.fileExists(atPath: url.path) {
      do { try FileManager.default.removeItem(at: url) } catch { print("cannot remove \(url): \(error)") }
    }
  }

  func open(expiry: Expiry = .never) async throws -> Store { try await subject.open(place(expiry: expiry)) }

  /// Returns the location of the store under test.
  func place(expiry: Expiry = .never) -> Place { Place(url: folder, clock: time.clock, expiry: expiry) }

  /// Calls `body` with a store at another location, since some stores can be open only once at each location.
  func withOtherStore(expiry: Expiry, _ body: (Store) async throws -> Void) async throws {
    let other = try Trial(of: promise, on: subject)
    defer { other.cleanUp() }
    try await body(other.open(expiry: expiry))
  }

  /// Returns a size in bytes, limited to the largest value of the store.
  func size(_ bytes: Int) -> Int { min(bytes, subject.hugeValueSize) }

  /// Throws `BrokenPromise` unless the condition holds.
  func expect(_ condition: Bool, _ explanation: @autoclosure () -> String) throws {
    if !condition { throw broken(explanation()) }
  }

  func broken(_ explanation: String) -> BrokenPromise {
    BrokenPromise(promise: promise, explanation: explanation)
  }

  /// Waits for a condition, until a time is over.
  func waitUntil(
    within limit: Duration = Effort.announcementLimit, _ condition: () async throws -> Bool
  ) async throws {
    let end = ContinuousClock.now + limit
    while try await !condition(), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(1)) }
  }

  func run() async throws {
    switch promise {
    case .reading: try await reading()
    case .absence: try await absence()
    case .overwriting: try await overwriting()
    case .removing: try await removing()
    case .removingAll: try await removingAll()
    case .anyValue: try await anyValue()
    case .hugeValue: try await hugeValue()
    case .streams: try await streams()
    case .ranges: try await ranges()
    case .tornStreams: try await tornStreams()
    case .anyKey: try await anyKey()
    case .equalKeys: try await equalKeys()
    case .keys: try await keys()
    case .paging: try await paging()
    case .manyKeys: try await manyKeys()
    case .sortedKeys: try await sortedKeys()
    case .expiry: try await expiry()
    case .pastExpiry: try await pastExpiry()
    case .shortExpiry: try await shortExpiry()
    case .ownExpiry: try await ownExpiry()
    case .sweeping: try await sweeping()
    case .changes: try await changes()
    case .batches: try await batches()
    case .entries: try await entries()
    case .atomicBatches: try await atomicBatches()
    case .parallelKeys: try await parallelKeys()
    case .linearizability: try await linearizability()
    case .updating: try await updating()
    case .conditions: try await conditions()
    case .bothWorlds: try await bothWorlds()
    case .cancellation: try await cancellation()
    case .resources: try await resources()
    case .blocking: try await blocking()
    case .announcing: try await announcing()
    case .lostWrites: try await lostWrites()
    case .reopening: try await reopening()
    case .severalHandles: try await severalHandles()
    case .severalProcesses: try await severalProcesses()
    case .survivingKill: try await survivingKill()
    case .fullDisk: try await fullDisk()
    case .readOnlyFolder: try await readOnlyFolder()
    case .damage: try await damage()
    }
  }
}
