import Foundation
import Testing

@testable import StrataDisk

extension TestFolder {
  /// Damages the record of a log that names a value's file.
  func damageRecord(naming number: UInt64) throws {
    let name = withUnsafeBytes(of: number.littleEndian) { Data($0) }
    for segment in try segments() {
      guard let place = try place(of: name, in: Data(contentsOf: segment)) else { continue }
      return try File(segment.path, O_WRONLY).write([0xFF], at: place + name.count)
    }
    Issue.record("no record names the file")
  }

  /// Marks a log as that of a process that died during a change.
  func markUnfinished() throws {
    try File(store.appending(path: EntryName.control).path, O_WRONLY).write([1], at: 112)
  }
}
