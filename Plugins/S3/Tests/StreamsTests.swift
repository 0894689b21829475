import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataS3

/// Values that are read and written a part at a time, on real servers.
@Suite(.serialized, .endsInTime) struct StreamsTests {
  private static let long = String(repeating: "long/", count: 200)

  private func store(_ kind: S3ServerKind) async throws -> S3Storage<String> {
    try await kind.store("streams")
  }

  /// Sizes around the limits of a part, in pieces of different sizes, with keys that the name contains and keys that
  /// are stored before the value.
  @Test(arguments: S3ServerKind.installed, [-1, 0, 1, 3_000_000])
  func whatIsWrittenIsRead(_ kind: S3ServerKind, _ more: Int) async throws {
    let store = try await store(kind)
    let bytes = sampleBytes(more < 0 ? 0 : kind.partSize + more)
    for key in ["short", Self.long] {
      for size in [700_001, 9 << 20] {
        try await store.write(forKey: key, expiry: .seconds(1000), from: PartSequence(bytes, by: size))
        #expect(try await store.object(forKey: key) == bytes)
        let read = try await store.read(forKey: key)
        #expect(read.length == bytes.count && read.expiry != .never)
        #expect(read.version != nil && read.modified.map { abs($0.timeIntervalSinceNow) < 600 } == true)
        #expect(try await read.data() == bytes)
        for range in [
          0..<1, 5..<5, 1..<bytes.count + 9, bytes.count..<Int.max, 100..<70_000, 1_048_570..<1_100_000,
        ]
        where range.lowerBound <= range.upperBound {
          let expected = bytes.dropFirst(range.lowerBound).prefix(range.count)
          #expect(try await store.read(forKey: key, range: range).data() == expected, "\(range)")
          #expect(try await read.reading(range).data() == expected, "\(range)")
        }
      }
      #expect(try await store.touch(forKey: key, expiry: .never))
      #expect(try await store.read(forKey: key).expiry == .never)
    }
    #expect(try await store.keys().count == 2)
    #expect(try await uploads(store).isEmpty)
    try await store.removeAll()
    await #expect(throws: StorageError.notFound) { _ = try await store.read(forKey: "short") }
  }

  /// The server returns no part of an unfinished upload.
  @Test(arguments: S3ServerKind.installed)
  func readersShareADownloadEachAtItsOwnPace(_ kind: S3ServerKind) async throws {
    let store = try await store(kind)
    let bytes = sampleBytes(kind.partSize * 5 / 2)
    let downloads = Locked(0)
    func read() async throws -> StoredBytes {
      try await store.read(forKey: Self.long) {
        downloads.withLock { $0 += 1 }
        return StoredBytes(bytes)
      }
    }
    let (fast, slow, late) = (try await read(), try await read(), try await read())
    var parts = slow.makeAsyncIterator()
    var found = try #require(try await parts.next())
    #expect(try await fast.data() == bytes)
    while let part = try await parts.next() { found.append(part) }
    #expect(found == bytes)
    let border = kind.partSize - 5..<kind.partSize + 5
    #expect(try await late.reading(border).data() == bytes[border])
    #expect(downloads.withLock { $0 } == 1)
    #expect(try await store.object(forKey: Self.long) == bytes)
    try await store.removeAll()
  }

  /// A writer that fails or is cancelled, at any byte, leaves the old value and no unfinished upload.
  @Test(arguments: S3ServerKind.installed)
  func aFailedWriterLeavesNothing(_ kind: S3ServerKind) async throws {
    let store = try await store(kind)
    let old = Data("old".utf8)
    try await store.setObject(old, forKey: "k")
    let bytes = sampleBytes(kind.partSize * 7 / 2)
    for end in [0, kind.partSize, kind.partSize + 1, bytes.count] {
      await #expect(throws: Failure.first) {
        try await store.write(
          forKey: "k", from: PartSequence(bytes, by: 1 << 20, at: end) { throw Failure.first })
      }
      let gate = Gate(holding: 1)
      let writer = Task {
        try await store.write(
          forKey: "k", from: PartSequence(bytes, by: 1 << 20, at: end) { await gate.pass() })
      }
      await gate.arrivals(1)
      writer.cancel()
      gate.open()
      await #expect(throws: CancellationError.self) { try await writer.value }
    }
    #expect(try await store.object(forKey: "k") == old)
    #expect(try await uploads(store).isEmpty)
    #expect(try await store.keys() == ["k"])
    try await store.removeAll()
  }

  /// A reader of a value that is replaced or removed gets the bytes that it has, and then an error: never other bytes.
  @Test(arguments: S3ServerKind.installed, [true, false])
  func aReaderNeverSeesTwoValues(_ kind: S3ServerKind, _ isReplaced: Bool) async throws {
    let store = try await store(kind)
    let size = 30 << 20
    try await store.write(forKey: "k", from: PartSequence(Data(repeating: 1, count: size), by: 4 << 20))
    let read = try await store.read(forKey: "k")
    var iterator = read.makeAsyncIterator()
    var count = try await iterator.next()?.count ?? 0
    if isReplaced {
      try await store.write(forKey: "k", from: PartSequence(Data(repeating: 2, count: size), by: 4 << 20))
    } else {
      try await store.removeObject(forKey: "k")
    }
    let error = await failure {
      while let part = try await iterator.next() {
        #expect(part == Data(repeating: 1, count: part.count))
        count += part.count
      }
    }
    #expect(error == .backendFailed && count < size)
    #expect(
      error?.message.contains(isReplaced ? "was replaced" : "was re") == true, "\(error?.message ?? "")")
    #expect(error?.key as? String == "k")
    try await store.removeAll()
  }

  /// A writer that dies leaves its parts, unseen. A sweep deletes them after a day, and no upload in progress.
  @Test(arguments: S3ServerKind.installed)
  func abandonedUploadsAreSweptAfterADay(_ kind: S3ServerKind) async throws {
    let store = try await store(kind)
    try await store.setObject(Data("old".utf8), forKey: "k")
    let bytes = sampleBytes(kind.partSize * 2)
    for key in ["k", Self.long] {
      try await store.stage(key, nil, []).append(bytes)
      // Another program's upload under the prefix is not touched.
      _ = try await PartUpload(store.client, "streams/no key", fields: [])
    }
    #expect(try await uploads(store).count == 4)
    // Moto says of each upload that it was begun in 2010, so this store's own are removed.
    let isDated = try await list(store).allSatisfy { $0["Initiated"]?.text.hasPrefix("2010-11-10") == false }
    try await store.removeExpiredObjects()
    #expect(try await uploads(store).count == (isDated ? 4 : 2))
    #expect(try await store.object(forKey: "k") == Data("old".utf8))
    let later = try S3Client(
      config: store.client.config, now: { Date() + 86_500 }, sleep: { _ in })
    try await S3Storage<String>(client: later, prefix: "streams").abortAbandonedUploads()
    #expect(try await uploads(store) == ["streams/no key", "streams/no key"])
    #expect(try await store.object(forKey: "k") == Data("old".utf8))
    for upload in try await list(store) {
      try await store.client.abortUpload(upload["Key"]?.text ?? "", upload["UploadId"]?.text ?? "")
    }
    try await store.removeAll()
  }

  /// Several callers store one key if it is absent: one succeeds, whether the value is small or has several parts.
  @Test(arguments: S3ServerKind.installed)
  func oneOfSeveralStoresIfAbsent(_ kind: S3ServerKind) async throws {
    let store = try await store(kind)
    for count in [10, kind.partSize * 2] {
      try await store.setObject(Data("expired".utf8), forKey: "k", expiry: .seconds(-1))
      let stored = try await concurrently(0..<4, limit: 4) { number in
        let staged = try await store.stage("k", nil, [])
        try await staged.append(Data(repeating: UInt8(number), count: count))
        let isStored = try await staged.commit(ifAbsent: true)
        await staged.discard()
        return isStored ? number : nil
      }.compactMap(\.self)
      #expect(stored.count == 1)
      #expect(try await store.object(forKey: "k") == Data(repeating: UInt8(stored[0]), count: count))
    }
    #expect(try await uploads(store).isEmpty)
    try await store.removeAll()
  }

  /// Returns the unfinished uploads of the bucket.
  private func list(_ store: S3Storage<String>) async throws -> [XMLNode] {
    try await store.client.send(S3Request(method: "GET", query: [("uploads", "")]))
      .document("ListMultipartUploadsResult").all("Upload")
  }

  private func uploads(_ store: S3Storage<String>) async throws -> [String] {
    try await list(store).compactMap { $0["Key"]?.text }
  }
}
