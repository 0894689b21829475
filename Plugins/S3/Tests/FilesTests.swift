import Foundation
import StrataCore
import StrataTestKit
import TestSupport
import Testing

@testable import StrataS3

/// Large values: uploads in parts, imports from files and exports to files.
@Suite(.serialized, .endsInTime) struct FilesTests {
  private func store(_ kind: S3ServerKind) async throws -> S3Storage<String> {
    var config = try await S3Server.shared(kind).config(.unsigned)
    config.multipartThreshold = kind.partSize / 5 * 6
    config.partSize = kind.partSize
    return try S3Storage<String>(config: config, prefix: "files")
  }

  private func file(_ bytes: Data? = nil) throws -> URL {
    let url = TemporaryFolder().url.appending(path: "file")
    if let bytes { try bytes.write(to: url) }
    return url
  }

  /// Sizes around the limits of a part, with keys that the name contains and keys that are stored before the value.
  @Test(arguments: S3ServerKind.installed, [-1, 0, 1])
  func importedFilesCanBeExported(_ kind: S3ServerKind, _ more: Int) async throws {
    let store = try await store(kind)
    // Sizes: zero bytes, exactly one part, and one byte more.
    let bytes = sampleBytes(more < 0 ? 0 : kind.partSize + more)
    for key in ["short", String(repeating: "long/", count: 200)] {
      try await store.importObject(from: file(bytes), forKey: key, expiry: .seconds(1000))
      #expect(try await store.expiryIfPresent(forKey: key) != nil)
      #expect(try await store.object(forKey: key) == bytes)
      let copy = try file(Data("an old file".utf8))
      try await store.exportObject(forKey: key, to: copy)
      #expect(try Data(contentsOf: copy) == bytes)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: copy.deletingLastPathComponent().path) == ["file"]
      )
    }
    #expect(try await store.keys().count == 2)
    try await store.removeAll()
  }

  @Test(arguments: S3ServerKind.installed)
  func largeValuesAreStoredInParts(_ kind: S3ServerKind) async throws {
    let store = try await store(kind)
    let value = sampleBytes(kind.partSize / 5 * 7)
    try await store.setObject(value, forKey: "k", expiry: .seconds(1000))
    #expect(try await store.object(forKey: "k") == value)
    // The entity tag of an object uploaded in parts ends with the number of parts.
    let response = try #require(try await store.client.read("files/k", method: "HEAD"))
    #expect(response.etag?.hasSuffix("-2\"") == true)
    // Conditional writes apply to objects uploaded in parts too.
    #expect(try await store.setIfAbsent(value, forKey: "k", expiry: nil) == false)
    #expect(try await store.setIfAbsent(value, forKey: "new", expiry: nil))
    #expect(try await store.touch(forKey: "k", expiry: .never))
    #expect(try await store.expiryIfPresent(forKey: "k") == .never)
    try await store.update(forKey: "k") { $0.append(1) }
    #expect(try await store.object(forKey: "k") == value + [1])
    #expect(try await uploads(store).isEmpty)
    try await store.removeAll()
  }

  @Test func absentAndExpiredEntriesAreNotExported() async throws {
    guard let kind = S3ServerKind.installed.first else { return }
    let store = try await store(kind)
    try await store.setObject(Data("v".utf8), forKey: "past", expiry: .seconds(-1))
    for key in ["none", "past"] {
      let copy = try file(Data("an old file".utf8))
      await #expect(throws: StorageError.notFound) { try await store.exportObject(forKey: key, to: copy) }
      #expect(try Data(contentsOf: copy) == Data("an old file".utf8))
    }
    let missing = await failure { try await store.importObject(from: file(), forKey: "k") }
    #expect(missing == .backendFailed && missing?.message.contains("No such file") == true)
    let folder = await failure { try await store.importObject(from: TemporaryFolder().url, forKey: "k") }
    #expect(folder == .backendFailed)
    let web = await failure {
      try await store.importObject(from: URL(string: "http://a/b") ?? file(), forKey: "k")
    }
    #expect(web == .invalidConfiguration)
  }

  /// Whichever request fails, the parts are deleted and the old value remains.
  @Test(arguments: ["partNumber=2", "uploadId=u HTTP", "200"])
  func failedUploadsAreAborted(_ point: String) async throws {
    let scripted = try Scripted { request in
      switch (request.method, request.target) {
      case ("POST", let target) where target.contains("uploads"): return .multipart(request)
      case ("PUT", let target) where target.contains(point): return .refusal(400, "InvalidPart")
      case ("PUT", _): return .stored
      case ("POST", _) where point == "200": return .refusal(200, "InternalError")
      case ("POST", _): return .lost
      default: return .removed
      }
    }
    defer { scripted.stop() }
    let error = await failure { try await scripted.store.setObject(Data(count: 1500), forKey: "k") }
    #expect(error != nil)
    #expect(scripted.received.last == "DELETE /bucket/p/k?uploadId=u")
    #expect(scripted.received.filter { $0.hasPrefix("DELETE") }.count == 1)
  }

  /// Parts are sent again after a lost connection, since no other client writes to the same upload.
  @Test func lostPartsAreSentAgain() async throws {
    let lost = Shared(0)
    let scripted = try Scripted { request in
      if request.method == "POST" { return .multipart(request) }
      lost.change { $0 += 1 }
      return lost.value <= 2 ? .lost : .object("", etag: "\"part\"")
    }
    defer { scripted.stop() }
    try await scripted.store.setObject(Data(count: 1500), forKey: "k")
    let body = scripted.server.received.last?.body ?? ""
    #expect(body.contains("<PartNumber>3</PartNumber><ETag>&quot;part&quot;</ETag>"), "\(body)")
  }

  /// A value that changes during a download is downloaded again: the file never mixes two values.
  @Test func aValueThatChangesIsExportedAgain() async throws {
    let size = StoredBytes.partSize + 400
    let scripted = try Scripted { request in
      let (tag, byte) = request.index < 2 ? ("\"old\"", UInt8(1)) : ("\"new\"", 2)
      if request.index == 1 || request.fields["if-match"].map({ $0 != tag }) == true {
        return .refusal(412, "PreconditionFailed")
      }
      let isFirst = request.fields["range"] == "bytes=0-\(StoredBytes.partSize - 1)"
      let range = isFirst ? "0-\(size - 401)" : "\(size - 400)-\(size - 1)"
      return .init(
        status: 206, fields: [("ETag", tag), ("Content-Range", "bytes \(range)/\(size)")],
        bytes: [UInt8](repeating: byte, count: isFirst ? size - 400 : 400))
    }
    defer { scripted.stop() }
    let copy = try file()
    try await scripted.store.exportObject(forKey: "k", to: copy)
    #expect(try Data(contentsOf: copy) == Data(repeating: 2, count: size))
    #expect(scripted.received.count == 4)
  }

  @Test func rangesCoverEverythingInAtMost10000Parts() {
    for (size, part) in [(0, 5), (1, 5), (5, 5), (6, 5), (1_000_003, 10), (50 << 30, 5 << 20)] {
      let ranges = PartSizes.ranges(size, partSize: part)
      #expect(ranges.count <= 10_000)
      #expect(ranges.reduce(0) { $0 + $1.count } == size)
      #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    }
  }

  /// A stream of unknown length has parts of equal size up to 21 GiB, and fits into 10 000 parts up to AWS's 5 TB.
  @Test func partsOfAStreamGrowInTime() {
    var config = S3Config(bucket: "bucket")
    let sizes = (1...10_000).map { [config] in PartSizes.size(ofPart: $0, config) }
    #expect(sizes.prefix(4500).allSatisfy { $0 == 5 << 20 })
    #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(sizes.reduce(0, +) >= 5 << 40 && sizes.max() == 5 << 30)
    #expect(PartSizes.size(ofPart: 20_000, config) == 5 << 30)
    config.partSize = 1 << 30
    #expect(PartSizes.size(ofPart: 9000, config) == 5 << 30)
  }

  /// Returns the unfinished uploads of the bucket.
  private func uploads(_ store: S3Storage<String>) async throws -> [String] {
    try await store.client.send(S3Request(method: "GET", query: [("uploads", "")]))
      .document("ListMultipartUploadsResult").all("Upload").compactMap { $0["Key"]?.text }
  }
}
