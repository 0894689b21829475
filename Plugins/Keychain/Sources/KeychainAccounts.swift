#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataDelegate

/// The secrets of one service in a keychain, by account: a store of bytes, which a chain can use.
///
/// ```swift
/// let tokens = KeychainAccounts<UUID>(service: "com.example.shop").transform(to: Token.self)
/// try tokens.setObject(token, forKey: user, expiry: .seconds(3600))
/// ```
///
/// **Creating** a store does not access the keychain. Errors of the keychain are thrown by the first call, and each
/// call tries again.
///
/// **Errors**: the messages of `.locked`, `.denied`, `.unreachable`, `.wrongKey`, `.malformedFileAttributes` (damaged),
/// `.tooLarge` and `.quotaExceeded` say what to do. The cause is a `KeychainFailure` with the platform's code. Only an
/// absent secret is `nil`.
///
/// Errors name the account and reveal nothing of its secret.
///
/// **Writes** replace a secret; if one throws, the old secret is still there.
///
/// **Threads**: methods may be called on any thread. They block it while they wait for a disk, a service, or a user who
/// unlocks the keychain.
public final class KeychainAccounts<Key: StorageKey>: SyncStorageAware {
  /// The type of secrets: bytes. A typed view adds other types.
  public typealias Value = Data

  /// The service that the accounts belong to.
  public let service: String
  /// The clock that determines whether secrets have expired.
  public let clock: StorageClock
  /// Always `true`: errors must not quote secrets.
  public var isConfidential: Bool { true }
  let expiry: Expiry
  /// The expiry of values that are stored without one.
  public var traits: StoreTraits { StoreTraits(ownExpiry: expiry) }
  private let place: KeychainPlace
  private let opened = Locked<(any SecretPlace)?>(nil)

  /// Creates a store of the accounts of a service.
  ///
  /// - Parameters:
  ///   - service: The service of the accounts; by default the name of the program. Two programs that name the same
  ///     service see the same secrets, if the keychain allows it.
  ///   - place: The keychain.
  ///   - expiry: The expiry of secrets that are stored without one.
  ///   - clock: The clock that expiries are compared with.
  public init(
    service: String = KeychainService.ofProgram, in place: KeychainPlace = .automatic,
    expiry: Expiry = .never,
    clock: StorageClock = .system
  ) {
    self.service = service
    self.place = place
    self.expiry = expiry
    self.clock = clock
  }

  /// Runs `body` with the keychain, and adds the operation, the key and the location to errors.
  func using<R>(
    _ aim: String, _ key: Key? = nil, _ body: (any SecretPlace, _ service: String) throws -> R
  ) throws(StorageError) -> R {
    var name: String?
    do {
      let place = try secretPlace()
      name = place.name
      return try body(place, service.canonical)
    } catch let error as StorageError {
      throw error.with("cannot \(aim): \(error.message)", key: key, place: error.place ?? name)
    } catch {
      throw .backendFailed.with("cannot \(aim)", key: key, place: name, cause: error)
    }
  }

  private func secretPlace() throws -> any SecretPlace {
    if let place = opened.withLock({ $0 }) { return place }
    let place = try place.open()
    opened.withLock { $0 = place }
    return place
  }
}

/// Names of services.
///
/// ```swift
/// let program = KeychainAccounts<String>(service: KeychainService.ofProgram)
/// ```
public enum KeychainService {
  /// The service under which PingStorage stores its items: as JSON, or as bytes of its encryptor.
  public static let ofPingStorage = "com.pingidentity.keychainService"

  /// The name of the running program: of its bundle on Apple platforms, of its executable file elsewhere.
  public static let ofProgram: String = {
    #if canImport(Darwin)
      if let bundle = Bundle.main.bundleIdentifier { return bundle }
    #endif
    return ProcessInfo.processInfo.processName
  }()
}

extension String {
  /// The canonical form of the string, in which equal strings have equal bytes.
  var canonical: String { String(decoding: canonicalUTF8, as: UTF8.self) }
}
