#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The threads on which streams read and write files that belong to no store.
private let filePool = BlockingPool()

/// The bytes of a file that a user imports.
package struct FileParts {
  private let url: URL

  package init(_ url: URL) { self.url = url }

  /// Opens the file, and returns its bytes.
  package func open() async throws -> StoredBytes {
    let url = url
    let (file, size) = try await filePool.run {
      let file = try OpenFile(reading: OpenFile.path(of: url))
      return (file, try file.size)
    }
    return StoredBytes(length: size) { range in
      let buffers = PartBuffers(size: StoredBytes.partSize)
      var parts = ReadAhead(range.parts(of: StoredBytes.partSize), on: filePool) { number in
        let start = number * StoredBytes.partSize
        let part = range.clamped(to: start..<start + StoredBytes.partSize)
        return try buffers.data(part.count, wanted: 0..<part.count) {
          try file.read(into: $0, at: part.lowerBound)
        }
      }
      return { try await parts.next() }
    }
  }
}

/// A file to which a user exports a value. It replaces an existing file when it is complete.
package struct NewFile {
  private let url: URL

  package init(_ url: URL) { self.url = url }

  package func write(_ bytes: StoredBytes) async throws {
    let path = try OpenFile.path(of: url)
    let temporary = url.deletingLastPathComponent().appending(
      path: ".\(url.lastPathComponent).\(UUID().uuidString)")
    let file = try await filePool.run { try OpenFile(creating: OpenFile.path(of: temporary)) }
    do {
      var end = 0
      for try await part in bytes {
        let start = end
        end += part.count
        try await filePool.run { try file.write(part, at: start) }
      }
      try await filePool.run { try file.rename(to: path) }
    } catch {
      file.delete()
      throw error
    }
  }
}
