/// A file or folder in a store's folder that is damaged, unreferenced, or not the store's.
///
/// ```swift
/// for finding in try disk.verify() { print(finding.kind, finding.path, finding.reason) }
/// ```
public struct DiskFinding: Sendable, Equatable, CustomStringConvertible {
  /// The kinds of findings.
  public enum Kind: Sendable, Hashable {
    /// The contents differ from the written ones: a checksum fails, a part is missing, or another file has the name.
    case damaged
    /// Strata wrote the file, and nothing refers to it: a process was killed before its write took effect, or before it
    /// deleted the file.
    case orphaned
    /// The name is not one that Strata uses.
    case foreign
  }

  /// The kind of the finding.
  public let kind: Kind
  /// The file or folder.
  public let path: String
  /// The evidence, as a readable sentence.
  public let reason: String
  /// The text of the damaged entry's key, or `nil` if the file is no entry, or its key cannot be read.
  public let key: String?

  init(_ kind: Kind, _ path: String, _ reason: String, key: [UInt8]? = nil) {
    self.kind = kind
    self.path = path
    self.reason = reason
    self.key = key.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The path, the kind and the reason, in one line.
  public var description: String { "\(path): \(kind): \(reason)" }
}

extension DiskStorage {
  /// Reads every file in the store's folder and returns the findings; changes nothing.
  ///
  /// Reads all stored bytes; writes wait until it is done. Files in `Damaged` are not checked. What a killed process
  /// has left unfinished is `.orphaned` until the next write.
  public func verify() throws -> [DiskFinding] {
    try explaining("check the store") { try $0.check(repairing: false) }
  }

  /// Checks all files like `verify()`, and repairs the store. Damaged entries and files are moved or copied to
  /// `Damaged` and removed from the store. Orphaned files are deleted, or, if damage was found that may have referred
  /// to them, moved to `Damaged` too. Foreign files stay untouched.
  ///
  /// ```swift
  /// for finding in try disk.repair() { print("moved to Damaged, or deleted: \(finding)") }
  /// ```
  ///
  /// Returns the findings. Sound entries are not affected.
  @discardableResult
  public func repair() throws -> [DiskFinding] {
    try refuseReadOnly()
    return try explaining("repair the store") { try $0.check(repairing: true) }
  }
}
