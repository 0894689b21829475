#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The stores of one or more schemes. A new backend is a type like this, and a line in `Backends.all`.
protocol StoreBackend {
  /// The schemes of the addresses.
  static var schemes: [String] { get }
  /// The forms of the addresses, for the help.
  static var forms: [(String, String)] { get }
  /// Whether a path holds a store of this backend, for addresses without a scheme.
  static func recognizes(path: String) -> Bool
  /// Opens a store.
  static func open(_ url: StoreURL, _ request: OpenRequest) throws -> OpenStore
}

extension StoreBackend {
  /// `false`: a server has no path.
  static func recognizes(path: String) -> Bool { false }
}

/// The backends of this build.
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

  /// Opens the store of an address.
  static func open(_ text: String, _ request: OpenRequest) throws -> OpenStore {
    let url = try StoreURL(text)
    guard let backend = all.first(where: { $0.schemes.contains(url.scheme) }) else {
      throw Failure.usage(
        "there is no store of the scheme \(url.scheme):; there are \(schemes.joined(separator: ":, ")):")
    }
    return try backend.open(url, request)
  }
}

/// How a store is to be opened.
struct OpenRequest: Sendable {
  enum Access: Sendable {
    /// Nothing is changed or created.
    case read
    /// A store that exists is changed.
    case write
    /// A store is changed, and created if it is missing.
    case create
  }

  var access: Access
  /// How long to wait for locks and servers.
  var timeout: Double?
  let secrets: Secrets

  var isReadOnly: Bool { access == .read }

  /// Throws if a store must exist and does not.
  func expect(_ exists: Bool, _ what: String, at path: String) throws(Failure) {
    if !exists, access != .create { throw .missing("there is no \(what) at \(path)", place: path) }
  }
}

/// An open store of bytes under texts, on which all commands work.
struct OpenStore: Sendable {
  let url: StoreURL
  /// The kind of store, as `info` prints it.
  let kind: String
  /// The entries as they are stored: compressed and encrypted if a chain wrote them so.
  let storage: any StorageAware<String, Data>
  /// The absolute path of the file or folder; `nil` for a server.
  var path: String?
  /// The ends of the names of further files beside that at the path.
  var companions: [String] = []
  /// The number of small entries that one write should store. A large batch is worth its memory where each write waits
  /// for the disk.
  var batch = 1000
  /// Further facts for `info`.
  var facts: @Sendable () async throws -> [JSON.Member] = { [] }
  /// Looks for damage below the entries.
  var check: (@Sendable () throws -> [Finding])?
  var repair: (@Sendable () throws -> [Finding])?
  var compact: (@Sendable () throws -> Void)?
  /// Advice for a person who wants to compact or repair a store of a backend that cannot.
  var alternative: String?
}

extension OpenStore {
  /// The bytes that the store takes on the disk, and a number that changes when one of its files does; `nil` for a
  /// server.
  var usage: (bytes: Int, mark: Int)? { path.map { Self.usage($0, companions) } }

  static func usage(_ path: String, _ companions: [String]) -> (bytes: Int, mark: Int) {
    companions.reduce(into: Paths.usage(path)) { sum, end in
      let other = Paths.usage(path + end)
      sum = (sum.bytes + other.bytes, sum.mark &* 31 &+ other.mark)
    }
  }
}

/// A thing that `verify` found.
struct Finding: Sendable, Equatable {
  /// `damaged`, or a kind that is no damage: `orphaned`, `foreign`.
  let kind: String
  let place: String
  let reason: String

  var isDamage: Bool { kind == "damaged" }

  var json: JSON { .object(["kind": .text(kind), "place": .text(place), "reason": .text(reason)]) }
}
