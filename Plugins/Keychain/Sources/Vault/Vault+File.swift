import StrataSodium

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Vault {
  /// Returns the current contents of the file, or `nil` if there is none.
  func contents() throws -> VaultContents? {
    let path = try place.get()
    return try state.withLock { state in
      state.contents = try saying("read") { try Self.read(path, state) }
      return state.contents
    }
  }

  /// Replaces the file by a new one, with the write lock held.
  ///
  /// - Parameter change: Returns the new contents for the old, which are `nil` if there is no file; or `nil` to change
  ///   nothing.
  func change(
    thenUsing key: VaultKey? = nil, _ change: (VaultContents?) throws -> VaultContents?
  ) throws {
    let path = try place.get()
    try StorePath.makeFolder(Self.folder(of: path))
    try withWriteLock("\(path).lock") {
      let old = try contents()
      guard let new = try change(old) else { return }
      let file = "\(path).new"
      try saying("write") { try Self.write(new.bytes, file) }
      // Contents and keys change under one lock, so that readers in this process always combine a file with its own
      // key.
      try state.withLock { state in
        try saying("write") { try Self.move(file, path) }
        state.contents = new
        if let key { state.key = key }
      }
      // The new file is in place. If this fails, a loss of power may restore the old one, so the error is thrown.
      try saying("write") { try SecretFile(Self.folder(of: path), O_RDONLY | O_DIRECTORY).sync() }
    }
  }

  private static func read(_ path: String, _ state: State) throws -> VaultContents? {
    let file: SecretFile
    do { file = try SecretFile(path, O_RDONLY) } catch {
      if error.code == Int(ENOENT) { return nil }
      throw error
    }
    try file.checkPrivacy()
    let head = try file.bytes(VaultHeader.size)[...]
    let header = try VaultHeader(head)
    if let contents = state.contents, contents.header == header { return contents }
    let keys = try keys(of: header, head, state)
    return try VaultContents(file.bytes(), header: header, keys: keys)
  }

  /// Returns the keys of a file. They are reused while its salt is unchanged.
  private static func keys(of header: VaultHeader, _ head: ArraySlice<UInt8>, _ state: State) throws
    -> VaultKeys
  {
    if let contents = state.contents, contents.header.salt == header.salt,
      VaultHeader.isAuthentic(head, by: contents.keys)
    {
      return contents.keys
    }
    guard header.source == state.key.source else {
      throw StorageError.wrongKey.with(
        header.source == .passphrase
          ? "the vault is locked with a passphrase, and a key was given"
          : "the vault is locked with a key, and a passphrase was given")
    }
    let keys = try state.key.keys(salt: header.salt, cost: header.cost)
    guard VaultHeader.isAuthentic(head, by: keys) else {
      throw StorageError.wrongKey.with(
        "the vault is locked with another key or passphrase, or its header is damaged; it was left unchanged")
    }
    return keys
  }

  private static func write(_ bytes: [UInt8], _ path: String) throws {
    // The file was left by a process that died during a write: only the holder of the lock writes it.
    if unlink(path) == -1, errno != ENOENT { throw KeychainFailure(errno: errno) }
    do {
      let file = try SecretFile(path, O_WRONLY | O_CREAT | O_EXCL)
      try file.write(bytes)
    } catch {
      unlink(path)
      throw error
    }
  }

  private static func move(_ old: String, _ new: String) throws {
    if rename(old, new) == 0 { return }
    let failure = KeychainFailure(errno: errno)
    unlink(old)
    throw failure
  }

  private static func folder(of path: String) -> String {
    let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    return folder.isEmpty ? "/" : String(folder)
  }

  /// Translates an error of the system to an error of the vault's file.
  func saying<R: ~Copyable>(_ verb: String, _ body: () throws -> R) throws -> R {
    do { return try body() } catch let failure as KeychainFailure {
      let (error, advice): (StorageError, String) =
        switch CInt(truncatingIfNeeded: failure.code) {
        case EACCES, EPERM:
          (.denied, "no permission; check the modes of the file (600) and of its folder (700)")
        case EROFS: (.denied, "the file system is read-only")
        case ELOOP: (.invalidConfiguration, "the path is a symlink; give the path of the file itself")
        case EISDIR: (.invalidConfiguration, "the path is a folder; choose another path")
        case ENOSPC, EDQUOT, EFBIG: (.backendFailed, "no space is left; nothing was changed")
        default: (.unreachable, "the system refused the operation")
        }
      throw error.with("cannot \(verb) the file: \(advice) (\(failure))", place: path, cause: failure)
    }
  }
}
