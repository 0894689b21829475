#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension StorageAware where Value == Data {
  /// Returns the bytes of a value; if it is absent or has expired, those of a download, which are stored while they are
  /// read.
  ///
  /// ```swift
  /// let film = try await films.read(forKey: "intro") { try await bucket.read(forKey: "films/intro.mp4") }
  /// for try await part in film { try send(part) }   // Begins with the first bytes of the download.
  /// ```
  ///
  /// Concurrent readers of a missing key share one download, and each reads at its own pace: the first to need a part
  /// reads it from the source, and the others read what is stored already. A reader that is cancelled stops no other.
  /// The value is stored when its last byte has been read; if the last reader leaves before, nothing is stored. A value
  /// that is written or removed meanwhile is not replaced. All readers get an error of the source or the store.
  ///
  /// - Parameters:
  ///   - key: the key of the value.
  ///   - range: the bytes to read, by default all. A reader of a later range waits until the download has come to it.
  ///   - expiry: the expiry of the stored value; `nil` for the one of the downloaded bytes, or the store's own.
  ///   - load: begins the download. Only the first caller's is called. The length must be known; if it is not, `write`
  ///     the bytes, and then read them.
  public func read(
    forKey key: Key, range: Range<Int>? = nil, expiry: Expiry? = nil,
    orLoad load: () async throws -> StoredBytes
  ) async throws -> StoredBytes {
    let coordinator = (self as? any DownloadSharing<Key>)?.downloadCoordinator ?? coordinator
    let meetingPoint = coordinator ?? StorageCoordinator()
    let downloads = meetingPoint.loads.downloads
    let download = try await meetingPoint.loads.load(key) {
      let shared = downloads.bytes(of: key)
      // A value in the store was written during the download, and is newer.
      if let bytes = try await stream(key, nil, []), bytes.isLive(by: clock) {
        return Download(bytes: bytes)
      }
      return shared.map { Download(bytes: $0.bytes) }
    } _: {
      try await begin(load(), key, expiry, meetingPoint)
    } store: { download, isValid in
      if let begun = download.begun, isValid() { downloads.add(begun.shared, key, begun.id) }
    }
    return download.bytes.reading(range)
  }

  /// Stages downloaded bytes, which are committed if the key has not changed then.
  private func begin(
    _ source: StoredBytes, _ key: Key, _ expiry: Expiry?, _ coordinator: StorageCoordinator<Key>
  ) async throws -> Download {
    let bytes = source.reading(nil)
    let staged = try await stage(key, expiry ?? (bytes.expiry == .never ? nil : bytes.expiry), .rereading)
    if bytes.length > 0 {
      let id = coordinator.loads.downloads.begin()
      let shared = SharedBytes(bytes, isRepeatable: false, staging: staged) {
        // This keeps the coordinator, and with it the download, until readers have left: an object does not retain it.
        try await $0.commit(ifAbsent: true, ifWanted: { coordinator.loads.downloads.end(key, id) })
      }
      return Download(bytes: shared.bytes, begun: (shared, id))
    }
    do { _ = try await staged.commit(ifAbsent: true) } catch {
      await staged.discard()
      throw error
    }
    return Download(bytes: bytes)
  }
}

/// A store whose order of operations, and with it the downloads, is that of a coordinator which it does not forward.
package protocol DownloadSharing<Key>: StorageAware {
  var downloadCoordinator: StorageCoordinator<Key> { get }
}

extension SyncStorage: DownloadSharing {
  package var downloadCoordinator: StorageCoordinator<Key> { meetingPoint }
}

/// The bytes of a value that is stored, or that is being downloaded.
private struct Download: Sendable {
  let bytes: StoredBytes
  /// The download, if this caller has begun it.
  var begun: (shared: SharedBytes, id: UInt64)?
}
