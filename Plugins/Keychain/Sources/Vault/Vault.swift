import Dispatch
import StrataDelegate

/// An encrypted file that stores secrets, for servers, which have no other keychain.
///
/// ```swift
/// let vault = Vault(path: "/var/lib/shop/secrets.vault", key: .keyFile("/etc/shop/vault.key"))
/// let token = Keychain<Token>(account: "api token", in: .vault(vault))
/// ```
///
/// **The file** reveals only the number of secrets and the sizes of the secrets and their names. The first save creates
/// it, with missing parent folders, accessible to its owner only. A file that other users may read or write is refused
/// (`.denied`). Beside it are `….lock`, which is empty, and during a write `….new`.
///
/// **A save** writes a complete new file, waits until it is on disk, and renames it over the old one. After `kill -9`
/// or a loss of power, the file is either the old or the new one.
///
/// **Processes**: any number may use one file. Writers wait for each other, and throw `.busy` if one hangs. Readers
/// never wait, and see the last write. Several vaults in one process may also use one file, but each of them derives
/// the key again.
///
/// **In memory** the vault is encrypted as in its file: only a secret that is read is decrypted. The keys are in locked
/// memory.
public final class Vault: Sendable {
  /// The path of the file, as passed to `init`.
  public let path: String
  /// The absolute path, so that a change of the working directory does not affect it; or the error if there is none.
  let place: Result<String, StorageError>
  let state: Locked<State>
  /// Held while the file is locked: the threads of this vault queue here instead of polling the file's lock.
  let writing = DispatchSemaphore(value: 1)
  let lockTimeout: Duration

  struct State: Sendable {
    var key: VaultKey
    /// The contents of the file when it was last read.
    var contents: VaultContents?
  }

  /// Creates a vault in a file. The first use reads the file and derives the key.
  ///
  /// - Parameters:
  ///   - path: The path of the file; `~` is not expanded. It must be on a local file system.
  ///   - key: The key that opens the file, or locks a new one.
  ///   - lockTimeout: How long a write waits for another process or thread that writes; then it throws `.busy`.
  public init(path: String, key: VaultKey, lockTimeout: Duration = .seconds(30)) {
    self.path = path
    self.lockTimeout = lockTimeout
    place = Result { () throws(StorageError) in try StorePath.absolute(path) }
    state = Locked(State(key: key))
  }

  /// Locks the vault with another key. All secrets are encrypted again, with new keys and a new salt, and the new file
  /// atomically replaces the old one. After `kill -9` it is locked with either the old or the new key, and nothing is
  /// lost.
  ///
  /// ```swift
  /// try vault.changeKey(to: .passphrase("a better passphrase"))
  /// ```
  ///
  /// This vault continues with the new key. Other vaults with the same file, in any process, throw `.wrongKey` from now
  /// on, unless their key is a file that was changed too. Copies of the old file still open with the old key.
  public func changeKey(to key: VaultKey) throws {
    try explaining("change the key") {
      try change(thenUsing: key) { try ($0 ?? VaultContents(of: key)).relocked(with: key) }
    }
  }

  func explaining<R>(_ aim: String, _ body: () throws -> R) throws(StorageError) -> R {
    do { return try body() } catch let error as StorageError {
      throw error.with("cannot \(aim): \(error.message)", place: error.place ?? path)
    } catch { throw .backendFailed.with("cannot \(aim)", place: path, cause: error) }
  }
}
