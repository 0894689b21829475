#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// The secrets of one service in a keychain, by account: a store of bytes, on which a whole chain can stand.
///
/// ```swift
/// let tokens = KeychainAccounts<UUID>(service: "com.example.shop").transform(to: Token.self)
/// try tokens.setObject(token, forKey: user, expiry: .seconds(3600))
/// ```
///
/// **Opening** asks nobody: what is wrong with the place is thrown by the first use, and each use tries anew.
///
/// **Errors**: `.locked`, `.denied`, `.unreachable`, `.wrongKey`, `.malformedFileAttributes` (damaged), `.tooLarge` and
/// `.quotaExceeded` say what to do; the cause is a `KeychainFailure` with the platform's code. Absent is `nil` and
/// nothing else is.
///
/// They name the account, and tell nothing of its secret.
///
/// **Writes** put a secret in place of the old one: if one throws, the old one is still there.
///
/// **Threads**: every function may be called on any thread, and waits with it: for a disk, for a service, or for a
/// person who is asked to unlock the keychain.
public final class KeychainAccounts<Key: StorageKey>: SyncStorageAware {
  /// A keychain knows only bytes; types are a matter of the link above it.
  public typealias Value = Data

  /// The service that the accounts belong to.
  public let service: String
  /// The clock by which secrets expire.
  public let clock: StorageClock
  /// Always: errors tell nothing of a secret.
  public var isConfidential: Bool { true }
  let expiry: Expiry
  private let place: KeychainPlace
  private let opened = Locked<(any SecretPlace)?>(nil)

  /// The accounts of a service.
  ///
  /// - Parameters:
  ///   - service: whose accounts these are; without one, the name of the program. Two programs that name the same
  ///     service see the same secrets, where the place lets them.
  ///   - expiry: when secrets expire that are stored without an expiry of their own.
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

  /// Does something in the place, and turns what it throws into what a user of the store can understand.
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

/// The name under which a program keeps its secrets.
public enum KeychainService {
  /// The name under which PingStorage keeps its items: JSON, or what its encryptor makes of that.
  public static let ofPingStorage = "com.pingidentity.keychainService"

  /// The name of the program that runs: on Apple platforms that of its bundle, elsewhere that of its executable file.
  public static let ofProgram: String = {
    #if canImport(Darwin)
      if let bundle = Bundle.main.bundleIdentifier { return bundle }
    #endif
    return ProcessInfo.processInfo.processName
  }()
}

extension String {
  /// The form that all equal strings share.
  var canonical: String { String(decoding: canonicalUTF8, as: UTF8.self) }
}
