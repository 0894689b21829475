#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Opens the stores of one kind of backend. A new backend is a type that conforms to this protocol, and an element of
/// `Backends.all`.
protocol StoreBackend {
  /// The schemes of the backend's addresses, such as `redis`. A path without a scheme gets the first one.
  static var schemes: [String] { get }
  /// The forms of the backend's addresses with their meanings, for the help.
  static var forms: [(String, String)] { get }
  /// Returns whether the file or folder at a path is a store of this backend. This permits addresses without a scheme.
  static func recognizes(path: String) -> Bool
  /// Opens the store at an address.
  static func open(_ url: StoreURL, _ request: OpenRequest) throws -> OpenStore
}

extension StoreBackend {
  /// Returns `false`: the stores of servers have no path.
  static func recognizes(path: String) -> Bool { false }
}

/// All backends of the command.
enum Backends {
  static var all: [any StoreBackend.Type] {
    [
      DiskBackend.self, SQLiteBackend.self, LMDBBackend.self, RocksDBBackend.self, RedisBackend.self,
      PostgresBackend.self, S3Backend.self, VaultBackend.self,
    ]
  }

  static var schemes: [String] { all.flatMap { $0.schemes } }

  static func scheme(ofPath path: String) -> String? {
    all.first { $0.recognizes(path: path) }.flatMap { $0.schemes.first }
  }

  /// Opens the store at an address.
  static func open(_ text: String, _ request: OpenRequest) throws -> OpenStore {
    let url = try StoreURL(text)
    guard let backend = all.first(where: { $0.schemes.contains(url.scheme) }) else {
      throw Failure.usage(
        "unknown scheme \(url.scheme):; use one of \(schemes.joined(separator: ":, ")):")
    }
    var store = try backend.open(url, request)
    store.skipped = request.skipped
    return store
  }
}

/// The way in which a command opens a store: access, timeout and secrets.
struct OpenRequest: Sendable {
  enum Access: Sendable {
    /// The store must exist, and is not changed.
    case read
    /// The store must exist, and may be changed.
    case write
    /// The store may be changed, and is created if it is missing.
    case create
  }

  var access: Access
  /// The number of seconds to wait for locks and servers, or `nil` for the backend's default.
  var timeout: Double?
  let secrets: Secrets
  /// Collects the damage that the command skips.
  var skipped = Skipped()

  var isReadOnly: Bool { access == .read }

  /// Throws if the store does not exist and may not be created. `what` names the kind of file or folder.
  func expect(_ exists: Bool, _ what: String, at path: String) throws(Failure) {
    if !exists, access != .create { throw .missing("there is no \(what) at \(path)", place: path) }
  }
}

/// An open store, with the functions of its backend that commands need. Keys are texts, and values bytes.
struct OpenStore: Sendable {
  let url: StoreURL
  /// The name of the backend, as `info` prints it.
  let kind: String
  /// The stored entries. Their values may be compressed or encrypted by the program that wrote them.
  let storage: any StorageAware<String, Data>
  /// The absolute path of the store's file or folder, or `nil` for a server.
  var path: String?
  /// The suffixes of further files of the store, whose paths begin with `path`.
  var companions: [String] = []
  /// The number of small entries that one write should store. Large batches are for files of trees: keys arrive in the
  /// order of another store, so each batch changes pages all over the file, and is written to the disk with them.
  var batch = 1000
  /// The number of bytes of keys and values after which a batch ends, even if it has fewer entries.
  var batchBytes = 4 << 20
  /// Returns whether a value may be large. If not, a copy need not ask for the length of each value first.
  var mayHaveLarge: @Sendable () -> Bool = { true }
  /// Returns facts of the backend for `info`.
  var facts: @Sendable () async throws -> [JSON.Member] = { [] }
  /// Returns the server's own figures of the store for `top`, or `nil` if the backend has none.
  var figures: (@Sendable () async throws -> TierFigures)?
  /// Checks the store's files, or `nil` if the backend has no such check.
  var check: (@Sendable () throws -> [Finding])?
  var repair: (@Sendable () throws -> [Finding])?
  var compact: (@Sendable () throws -> Void)?
  /// Advice for `compact` and `repair` if the backend lacks them.
  var alternative: String?
  /// Collects the damage that the command skips.
  var skipped = Skipped()
}

extension OpenStore {
  /// The number of small entries that one read should request.
  ///
  /// A server answers a large batch in one round trip. Files are read entry by entry, so small batches cost nothing
  /// more, and take less memory if large values follow many small ones. A store of files also has less to repeat: a
  /// batch must show one state, so `DiskStorage` reads it again if another batch is stored meanwhile.
  var readBatch: Int { path == nil ? 1000 : 64 }

  /// The bytes that the store takes on the disk, and a number that changes with its files; `nil` for a server.
  var usage: (bytes: Int, mark: Int)? { path.map { Self.usage($0, companions) } }

  static func usage(_ path: String, _ companions: [String]) -> (bytes: Int, mark: Int) {
    companions.reduce(into: Paths.usage(path)) { sum, end in
      let other = Paths.usage(path + end)
      sum = (sum.bytes + other.bytes, sum.mark &* 31 &+ other.mark)
    }
  }
}

/// A finding of `verify` or `repair`.
struct Finding: Sendable, Equatable {
  /// `damaged`, or the kind of a harmless file: `orphaned`, `foreign`.
  let kind: String
  let place: String
  let reason: String
  /// The key of the damaged entry, if it is known.
  var key: String?

  var isDamage: Bool { kind == "damaged" }

  var json: JSON {
    .object([
      "kind": .text(kind), "place": .text(place), "reason": .text(reason), "key": key.map(JSON.text),
    ])
  }
}
