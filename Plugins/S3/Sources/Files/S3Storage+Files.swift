public import Foundation
public import StrataCore

extension S3Storage {
  /// Stores the contents of a file of any size. Uploads one part of `S3Config.partSize` at a time, so that only that
  /// part is in memory.
  ///
  /// ```swift
  /// try await objects.importObject(from: URL(filePath: "/var/tmp/film.mp4"), forKey: "film")
  /// ```
  ///
  /// Readers see the new value once all parts are stored. If the upload fails or is cancelled, the parts are deleted
  /// and the old value remains. The file must not change meanwhile. Without `expiry`, the store's default applies.
  public func importObject(from file: URL, forKey key: Key, expiry: Expiry? = nil) async throws {
    try await explaining("import the file", key) {
      let path = try OpenFile.path(of: file)
      let pool = client.pool
      let (open, size) = try await pool.run {
        let open = try OpenFile(reading: path)
        return (open, try open.size)
      }
      let expiry = resolved(expiry)
      let name = names.name(key)
      let head = name.head
      try await order.withTurn(.key(key)) {
        if size + head.count <= min(client.config.partSize, client.config.maximumValueSize) {
          let value = try await pool.run { try open.read(0..<size) }
          _ = try await put(value, name, expiry)
          return
        }
        // For a hashed key, the first part begins with the text of the key, followed by bytes of the file.
        var parts = Parts(size: size + head.count, config: client.config) { range in
          let own = max(range.lowerBound - head.count, 0)..<max(range.upperBound - head.count, 0)
          let before = head.dropFirst(range.lowerBound).prefix(range.count)
          return try await pool.run { try open.read(own, after: Array(before)) }
        }
        parts.concurrent = 1
        _ = try await upload(parts, name, expiry, if: nil)
      }
    }
  }

  /// Writes a value of any size to a file. Downloads one part of `S3Config.partSize` at a time, so that only that part
  /// is in memory.
  ///
  /// An existing file is replaced once all parts have arrived; if the download fails, it is unchanged. After a lost
  /// connection, only the current part is requested again. If the value changes meanwhile, the download starts again.
  /// Throws `.notFound` if nothing is stored, or it has expired.
  public func exportObject(forKey key: Key, to file: URL) async throws {
    try await explaining("export the entry", key) {
      let path = try OpenFile.path(of: file)
      let name = names.name(key)
      let temporary = file.deletingLastPathComponent()
        .appending(path: ".\(file.lastPathComponent).\(UUID().uuidString)").path(percentEncoded: false)
      let pool = client.pool
      _ = try await repeating {
        guard let head = try await client.read(name.text, method: "HEAD"),
          case let object = try StoredObject(head),
          !object.expiry.isExpired(by: clock)
        else { throw StorageError.notFound }
        let new = try await pool.run { try OpenFile(creating: temporary) }
        do {
          if try await download(name, object, to: new) {
            try await pool.run { try new.rename(to: path) }
            return true
          }
          try await pool.run { new.delete() }
          return nil
        } catch {
          new.delete()
          throw error
        }
      }
    }
  }

  /// Writes the parts of an object to a file. Returns `false` if the object is replaced by another one meanwhile.
  private func download(_ name: ObjectNames.Name, _ object: StoredObject, to file: OpenFile) async throws
    -> Bool
  {
    let client = client
    let start = name.head.count
    guard object.size >= start else {
      throw StorageError.malformedFileAttributes.with(
        "the object does not begin with the text of its key: it was written by another program")
    }
    let parts = Parts.ranges(object.size - start, partSize: client.config.partSize)
    let results = try await concurrently(parts, limit: 1) { part in
      let range = "bytes=\(start + part.lowerBound)-\(start + part.upperBound - 1)"
      let request = S3Request(
        method: "GET", name: name.text, fields: [("Range", range), ("If-Match", object.etag)],
        content: .range(part.count))
      let response = try await client.send(request, expecting: [404, 412])
      if !response.isSuccess { return false }
      guard response.data.count == part.count else {
        throw StorageError.backendFailed.with(
          "the server sent \(response.data.count) bytes for a range of \(part.count)")
      }
      try await client.pool.run { try file.write(response.data, at: part.lowerBound) }
      FreedMemory.giveBack()
      return true
    }
    return results.allSatisfy { $0 }
  }
}
