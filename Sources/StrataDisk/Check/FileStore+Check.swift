import StrataCore

extension FileStore {
  func check(repairing: Bool) throws -> [DiskFinding] {
    let folder = try opened()
    var findings: [DiskFinding] = []
    // The findings are returned to the caller, and so not reported to `onDamage`.
    try commit.withLock { _ in
      // Another process could replace a damaged file by a sound one, which must not be set aside.
      let lock = try FolderLock(of: folder)
      try withExtendedLifetime(lock) {
        for name in try folder.names(where: { $0 != EntryName.damaged && $0 != EntryName.values }) {
          if let finding = try folder.finding(onFile: name) {
            findings.append(finding)
            if repairing { try repair(name, finding, folder) }
          }
        }
        for name in try folder.values.names(where: { _ in true }) {
          if let finding = try folder.finding(onValue: name) {
            findings.append(finding)
            if repairing, finding.kind == .orphaned { try removeParts(name, folder) }
          }
        }
      }
      if repairing { forget(findings) }
    }
    return findings
  }

  private func repair(_ name: String, _ finding: DiskFinding, _ folder: EntryFolder) throws {
    switch finding.kind {
    case .damaged:
      let parts = try parts(ofDamaged: name, folder)
      _ = try folder.setAside(name)
      for part in parts { try setAsideParts(part, folder) }
    case .orphaned: try TemporaryFile.removeLeftover(folder.path(of: name))
    case .foreign: break
    }
  }

  /// Removes damaged entries from the index, by the names of their files: their keys may be unreadable.
  private func forget(_ findings: [DiskFinding]) {
    let paths = Set(findings.filter { $0.kind == .damaged }.map(\.path))
    if paths.isEmpty { return }
    index.withLock { index in
      for key in index?.keys ?? [] where paths.contains("\(path)/\(EntryName.of(key))") { index?.remove(key) }
    }
  }
}

extension EntryFolder {
  /// Returns the finding on a file of the layout `.files`, or on a temporary file; `nil` if it is sound.
  func finding(onFile name: String) throws -> DiskFinding? {
    let path = path(of: name)
    if EntryName.isTemporary(name) {
      return try TemporaryFile.isLeftover(path)
        ? DiskFinding(.orphaned, path, "no process is writing it any more") : nil
    }
    guard EntryName.isEntry(name) else {
      return DiskFinding(.foreign, path, "it is not a name that Strata uses")
    }
    return try Self.finding(onEntry: path) {
      EntryName.of($0) == name ? nil : "its name does not match its key"
    }
  }

  /// Returns the finding on a file in `Values`, with the layout `.files`; `nil` if an entry names it, or may do so, or
  /// if a user keeps it in place.
  func finding(onValue name: String) throws -> DiskFinding? {
    let path = values.path(of: name)
    guard EntryName.entry(ofPlainValue: name) != nil else {
      return DiskFinding(.foreign, path, "it is not a name that Strata uses")
    }
    if try isNamed(name) || values.isHeld(name) { return nil }
    return DiskFinding(.orphaned, path, "no entry refers to it")
  }

  /// Reads all of an entry's file. Returns the finding on it, with the reason from `check` if that rejects the key;
  /// `nil` if the file is sound, or a newer version of Strata wrote it.
  static func finding(onEntry path: String, _ check: ([UInt8]) -> String?) throws -> DiskFinding? {
    var key: [UInt8]?
    do {
      guard let file = try EntryFile(path) else { return nil }
      key = file.key
      _ = try file.value()
      return check(file.key).map { DiskFinding(.damaged, path, $0) }
    } catch let flaw as EntryFlaw {
      if case .newer = flaw { return nil }
      return DiskFinding(.damaged, path, flaw.reason, key: key)
    }
  }
}
