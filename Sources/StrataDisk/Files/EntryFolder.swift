#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

#if canImport(Darwin)
  private typealias OpenFolder = UnsafeMutablePointer<DIR>
#else
  private typealias OpenFolder = OpaquePointer
#endif

/// The folder of a store: one file an entry, all side by side, and `Damaged` with what was set aside.
struct EntryFolder: Sendable {
  let path: String

  func path(of name: String) -> String { "\(path)/\(name)" }

  /// Makes the folder and those above it, for the user alone; `false` if it was there.
  @discardableResult
  func make() throws(SystemError) -> Bool { try Self.make(path) }

  /// The names of all entries' files, those written last first.
  func entriesNewestFirst() throws(SystemError) -> [String] {
    var found: [(name: String, modified: Int)] = []
    for name in try names(where: EntryName.isEntry) {
      if let status = try FileStatus(of: path(of: name)) { found.append((name, status.modified)) }
    }
    return found.sorted { $0.modified > $1.modified }.map(\.name)
  }

  /// The names in the folder that meet a condition; none if there is no folder.
  func names(where isWanted: (String) -> Bool) throws(SystemError) -> [String] {
    guard let folder = try Self.open(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while true {
      errno = 0
      guard let item = readdir(folder) else { break }
      let name = String(cString: Self.name(of: item))
      if name != ".", name != "..", isWanted(name) { names.append(name) }
    }
    if errno != 0 { throw SystemError("readdir", path) }
    return names
  }

  /// Opens a folder to list it; `nil` if there is none.
  private static func open(_ path: String) throws(SystemError) -> OpenFolder? {
    while true {
      if let folder = opendir(path) { return folder }
      let error = SystemError("opendir", path)
      switch error.code {
      case EINTR: continue
      case ENOENT: return nil
      case EMFILE, ENFILE: if Descriptors.giveBackAll() { continue } else { throw error }
      default: throw error
      }
    }
  }

  /// Deletes a file, if it is there.
  func remove(_ name: String) throws(SystemError) {
    if unlink(path(of: name)) == -1, errno != ENOENT { throw SystemError("unlink", path(of: name)) }
  }

  /// Deletes the temporary files that nobody will finish.
  func removeLeftovers() throws(SystemError) {
    try removeLeftovers(among: names(where: EntryName.isTemporary))
  }

  /// Deletes those of some files that are temporary, and that nobody will finish.
  func removeLeftovers(among names: [String]) throws(SystemError) {
    for name in names where EntryName.isTemporary(name) { try TemporaryFile.removeLeftover(path(of: name)) }
  }

  /// Moves whatever has a name to `Damaged`, under a name of its own there, and returns its new path.
  func setAside(_ name: String) throws(SystemError) -> String { try setAside(name, from: self) }

  /// Moves whatever has a name in another folder to this folder's `Damaged`.
  func setAside(_ name: String, from folder: EntryFolder) throws(SystemError) -> String {
    let shelf = EntryFolder(path: path(of: EntryName.damaged))
    try shelf.make()
    let kept = shelf.path(of: EntryName.setAside(name))
    if rename(folder.path(of: name), kept) == -1 { throw SystemError("rename", folder.path(of: name)) }
    return kept
  }

  @discardableResult
  private static func make(_ path: String) throws(SystemError) -> Bool {
    // Others may make, move and delete it meanwhile: what was in the way may be gone, and what was missing be there.
    for _ in 0..<1000 {
      if mkdir(path, 0o700) == 0 { return true }
      let error = SystemError("mkdir", path)
      switch error.code {
      case EEXIST:
        guard let status = try status(behind: path) else { continue }
        if status.isFolder { return false }
        throw error
      case ENOENT, ENOTDIR:
        // Something above is missing or is no folder: make it, or fail with its name.
        guard let parent = parent(of: path) else { throw error }
        try make(parent)
      default: throw error
      }
    }
    throw SystemError("mkdir", path, ENOENT)
  }

  /// What a path leads to, or a symlink that leads nowhere, which is in the way as a file is; `nil` if there is
  /// nothing.
  private static func status(behind path: String) throws(SystemError) -> FileStatus? {
    var status = stat()
    if stat(path, &status) == 0 { return FileStatus(status) }
    let error = SystemError("stat", path)
    if error.code != ENOENT { throw error }
    return try FileStatus(of: path)
  }

  private static func parent(of path: String) -> String? {
    path.lastIndex(of: "/").flatMap { $0 == path.startIndex ? nil : String(path[..<$0]) }
  }

  /// The name stands in the item's last field, which is declared longer than it is.
  private static func name(of item: UnsafeMutablePointer<dirent>) -> UnsafePointer<CChar> {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    return UnsafeRawPointer(item).advanced(by: offset).assumingMemoryBound(to: CChar.self)
  }
}
