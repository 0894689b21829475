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
      let pages = Pages()
      var parts = ReadAhead(range.parts(of: StoredBytes.partSize), on: filePool) { number in
        let start = number * StoredBytes.partSize
        let part = range.clamped(to: start..<start + StoredBytes.partSize)
        return try pages.data(part.count, of: StoredBytes.partSize, wanted: 0..<part.count) {
          try file.read(into: $0, at: part.lowerBound)
        }
      }
      return { try await parts.next() }
    }
  }
}

/// A file that a user gets: of an exported value, or of a download. It replaces an existing file when it is complete.
package struct NewFile {
  private let path: String
  private let temporary: String

  package init(_ url: URL) throws {
    path = try OpenFile.path(of: url)
    // Without the file's name, which may be as long as a name can be.
    temporary = try OpenFile.path(
      of: url.deletingLastPathComponent().appending(path: ".strata-\(UUID().uuidString)"))
  }

  /// Writes the parts. Errors name the file, also if they concern the temporary one beside it.
  package func write(_ parts: some AsyncSequence<Data, any Error>) async throws {
    do {
      let file = try await filePool.run { [temporary] in try OpenFile(creating: temporary) }
      do {
        var end = 0
        for try await part in parts {
          let start = end
          end += part.count
          try await filePool.run { try file.write(part, at: start) }
        }
        try await filePool.run { [path] in try file.rename(to: path) }
      } catch {
        file.delete()
        throw error
      }
    } catch let error as StorageError where error.place == temporary {
      throw error.with(place: path)
    }
  }
}
