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

/// The folder of a store: the entries' files, and a subfolder `Damaged` for damaged ones.
struct EntryFolder: Sendable {
  let path: String
  /// Whether nothing in the folder may be changed.
  var isReadOnly = false

  func path(of name: String) -> String { "\(path)/\(name)" }

  /// Creates the folder and its parents, accessible to the user alone; `false` if it already exists. A missing folder
  /// that may not be changed throws.
  @discardableResult
  func make() throws(SystemError) -> Bool {
    if !isReadOnly { return try Self.make(path) }
    if try Self.status(behind: path)?.isFolder == true { return false }
    throw SystemError("open", path, ENOENT)
  }

  /// Returns the files whose names meet a condition, the newest first: by their last modification, or by their last
  /// modification, renaming or move.
  func filesNewestFirst(
    countingMoves: Bool = false, where isWanted: (String) -> Bool
  ) throws(SystemError) -> [(name: String, status: FileStatus)] {
    var found: [(name: String, status: FileStatus)] = []
    for name in try names(where: isWanted) {
      if let status = try FileStatus(of: path(of: name)) { found.append((name, status)) }
    }
    func time(_ status: FileStatus) -> Int { countingMoves ? status.changed : status.modified }
    return found.sorted { time($0.status) > time($1.status) }
  }

  /// Returns the names in the folder that meet a condition; none if there is no folder.
  func names(where isWanted: (String) -> Bool) throws(SystemError) -> [String] {
    try names().filter(isWanted)
  }

  private func names() throws(SystemError) -> [String] {
    guard let folder = try Self.open(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while true {
      errno = 0
      guard let item = readdir(folder) else { break }
      let name = String(cString: Self.name(of: item))
      if name != ".", name != ".." { names.append(name) }
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

  /// Deletes a file, if it exists.
  func remove(_ name: String) throws(SystemError) {
    if unlink(path(of: name)) == -1, errno != ENOENT { throw SystemError("unlink", path(of: name)) }
  }

  /// Deletes the temporary files that no process is writing any more.
  func removeLeftovers() throws(SystemError) {
    try removeLeftovers(among: names(where: EntryName.isTemporary))
  }

  /// Deletes the temporary files among some files, if no process is writing them any more.
  func removeLeftovers(among names: [String]) throws(SystemError) {
    if isReadOnly { return }
    for name in names where EntryName.isTemporary(name) { try TemporaryFile.removeLeftover(path(of: name)) }
  }

  /// Moves a file or folder to `Damaged`, under a unique name, and returns its new path.
  func setAside(_ name: String) throws(SystemError) -> String { try setAside(name, from: self) }

  /// Moves a file or folder from another folder to this folder's `Damaged`.
  func setAside(_ name: String, from folder: EntryFolder) throws(SystemError) -> String {
    if isReadOnly { throw SystemError("rename", folder.path(of: name), EROFS) }
    let shelf = EntryFolder(path: path(of: EntryName.damaged))
    try shelf.make()
    let kept = shelf.path(of: EntryName.setAside(name))
    if rename(folder.path(of: name), kept) == -1 { throw SystemError("rename", folder.path(of: name)) }
    return kept
  }

  @discardableResult
  private static func make(_ path: String) throws(SystemError) -> Bool {
    // Other processes may create, move and delete the path meanwhile, so an obstacle may be gone, or a parent exist by
    // now.
    for _ in 0..<1000 {
      if mkdir(path, 0o700) == 0 { return true }
      let error = SystemError("mkdir", path)
      switch error.code {
      case EEXIST:
        guard let status = try status(behind: path) else { continue }
        if status.isFolder { return false }
        throw error
      case ENOENT, ENOTDIR:
        // A parent is missing or is not a folder: create it, or fail with its name.
        guard let parent = parent(of: path) else { throw error }
        try make(parent)
      default: throw error
      }
    }
    throw SystemError("mkdir", path, ENOENT)
  }

  /// Returns the status of a path's target, or of a symlink that leads nowhere, which is an obstacle like a file; `nil`
  /// if there is neither.
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

  /// Returns the name, which is stored in the item's last field; that field's declared length is not its real one.
  private static func name(of item: UnsafeMutablePointer<dirent>) -> UnsafePointer<CChar> {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    return UnsafeRawPointer(item).advanced(by: offset).assumingMemoryBound(to: CChar.self)
  }
}
