import StrataCore

extension FileStore {
  func check(repairing: Bool) throws -> [DiskFinding] {
    let folder = try opened()
    var findings: [DiskFinding] = []
    // The findings are returned to the caller, and so not reported to `onDamage`.
    try commit.withLock { _ in
      for name in try folder.names(where: { $0 != EntryName.damaged && $0 != EntryName.values }) {
        if let finding = try folder.finding(onFile: name) {
          findings.append(finding)
          if repairing { try repair(name, finding, folder) }
        }
      }
    }
    return findings
  }

  private func repair(_ name: String, _ finding: DiskFinding, _ folder: EntryFolder) throws {
    switch finding.kind {
    case .damaged:
      _ = try folder.setAside(name)
      index.withLock { $0 = nil }
      isIndexed.withLock { $0 = false }
    case .orphaned: try TemporaryFile.removeLeftover(folder.path(of: name))
    case .foreign: break
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

  /// Reads all of an entry's file. Returns the finding on it, with the reason from `check` if that rejects the key;
  /// `nil` if the file is sound.
  static func finding(onEntry path: String, _ check: ([UInt8]) -> String?) throws -> DiskFinding? {
    var key: [UInt8]?
    do {
      guard let file = try EntryFile(path) else { return nil }
      key = file.key
      _ = try file.value()
      return check(file.key).map { DiskFinding(.damaged, path, $0) }
    } catch let flaw as EntryFlaw {
      return DiskFinding(.damaged, path, flaw.reason, key: key)
    }
  }
}
