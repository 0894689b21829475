#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Testing

@testable import StrataDisk

/// A log whose files a test damages before it is opened again.
struct DamagedLog {
  let folder: TestFolder

  init() throws { folder = try TestFolder(.automatic) }

  var control: URL { folder.store.appending(path: "control") }

  func lastSegment() throws -> URL { try #require(try folder.segments().last) }

  /// Writes thirty entries to one segment, or many more to several.
  func fill(_ count: Int = 30) throws -> [Int: Data] {
    let disk = try folder.open(Int.self)
    var stored: [Int: Data] = [:]
    for key in 0..<count {
      let value = bytes(count > 30 ? 1000 : key * 10, seed: key)
      try disk.setObject(value, forKey: key, expiry: nil)
      stored[key] = value
    }
    return stored
  }

  /// Expects exactly the stored entries, in a store that is opened now and in one that is opened after it.
  func expect(_ stored: [Int: Data], sourceLocation: SourceLocation = #_sourceLocation) throws {
    for disk in [try folder.open(Int.self), try folder.open(Int.self)] {
      #expect(try Set(disk.keys()) == Set(stored.keys), sourceLocation: sourceLocation)
      for (key, value) in stored {
        #expect(try disk.object(forKey: key) == value, sourceLocation: sourceLocation)
      }
      #expect(try disk.totalSize == folder.logBytes(), sourceLocation: sourceLocation)
    }
  }
}
