/// Something in a store's folder that is not as it should be, or not the store's.
public struct DiskFinding: Sendable, Equatable, CustomStringConvertible {
  /// Ways of being wrong.
  public enum Kind: Sendable, Hashable {
    /// It is not what was written: a checksum does not match, a part is missing, another file has its name.
    case damaged
    /// It was written by Strata, and nothing refers to it: somebody was killed before it counted, or before it was
    /// deleted.
    case orphaned
    /// It has a name that Strata did not give.
    case foreign
  }

  /// What is wrong.
  public let kind: Kind
  /// The file or folder.
  public let path: String
  /// How that was seen, in a sentence for a person.
  public let reason: String

  /// All of it, in one line.
  public var description: String { "\(path): \(kind): \(reason)" }
}

extension DiskStorage {
  /// Reads every file in the store's folder and tells what is not as it should be; nothing is changed.
  ///
  /// It reads all that is stored, and writes wait until it is done. What lies in `Damaged` is not looked at.
  public func verify() throws -> [DiskFinding] {
    try explaining("check the store") { try $0.check(repairing: false) }
  }

  /// Does what `verify()` does, and puts right what can be: what is damaged is moved or copied to `Damaged`, and
  /// removed from the store; what is orphaned is deleted, or, if something was damaged that may have referred to it,
  /// moved to `Damaged` too. What is foreign stays untouched.
  ///
  /// Returns what it found. Sound entries are not concerned.
  @discardableResult
  public func repair() throws -> [DiskFinding] {
    try explaining("repair the store") { try $0.check(repairing: true) }
  }
}
