import Foundation

/// A file for each value, read and replaced by Foundation.
struct FoundationFiles: ByteStore {
  let folder: URL

  func value(forKey key: String, thread: Int) throws -> Data? {
    do {
      return try Data(contentsOf: folder.appending(path: key))
    } catch CocoaError.fileReadNoSuchFile {
      return nil
    }
  }

  func store(_ value: Data, forKey key: String, thread: Int) throws {
    try value.write(to: folder.appending(path: key), options: .atomic)
  }
}
