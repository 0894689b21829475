import Dispatch
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An encrypted file that keeps secrets where there is no other keychain: on servers.
///
/// ```swift
/// let vault = Vault(path: "/var/lib/shop/secrets.vault", key: .keyFile("/etc/shop/vault.key"))
/// let token = Keychain<Token>(account: "api token", in: .vault(vault))
/// ```
///
/// **The file** shows how many secrets it has, how long they and their names are together, and nothing more. It is made
/// by the first save, with the folders above it, for its owner alone; one that others may read or write is refused
/// (`.denied`). Beside it stand `….lock`, which is empty, and while it is written `….new`.
///
/// **A save** writes the whole file anew and waits until the disk has it; then it takes the old one's place in one
/// step. Whatever happens meanwhile, `kill -9` or a loss of power, the file is the old one or the new one.
///
/// **Processes**: any number may use one file. Those that write wait for each other, and throw `.busy` if one hangs;
/// reads wait for nobody and see the last write. The same holds for several vaults over one file in one process, but
/// each makes the key anew.
///
/// **In memory** the vault is encrypted as in its file: only the secret that is read is decrypted. The keys are in
/// locked memory.
public final class Vault: Sendable {
  /// The path of the file, as it was given.
  public let path: String
  /// The same from the root, so that a change of the working directory does not move it; or why it is none.
  let place: Result<String, StorageError>
  let state: Locked<State>
  /// Held while the file is locked: the threads of this vault wait for each other here, in order, and not by trying.
  let writing = DispatchSemaphore(value: 1)
  let lockTimeout: Duration

  struct State: Sendable {
    var key: VaultKey
    /// What the file was when it was last looked at.
    var contents: VaultContents?
  }

  /// A vault in a file. Nothing is read, and no key made, before the first use.
  ///
  /// - Parameters:
  ///   - path: the path of the file; `~` is not expanded. It belongs on a file system of this machine.
  ///   - key: what opens it, or locks it if there is none.
  ///   - lockTimeout: how long a write waits for another process or thread that writes; then it throws `.busy`.
  public init(path: String, key: VaultKey, lockTimeout: Duration = .seconds(30)) {
    self.path = path
    self.lockTimeout = lockTimeout
    place = Result { () throws(StorageError) in try StorePath.absolute(path) }
    state = Locked(State(key: key))
  }

  /// Locks the vault with another key: all secrets are encrypted anew, with keys of their own, and the file takes the
  /// old one's place in one step. `kill -9` meanwhile leaves it locked with the old key or with the new one, and
  /// nothing lost.
  ///
  /// This vault goes on with the new key. Others over the same file, in this process or another, throw `.wrongKey` from
  /// now on, unless their key is a file that was changed too. Copies of the old file still open with the old key.
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
