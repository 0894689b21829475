import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataS3

/// Streams over servers and connections that fail.
@Suite(.serialized, .endsInTime) struct StreamFailureTests {
  /// A server that is killed while a value is written or read: the writer and the reader fail, and the old value stays.
  @Test(arguments: S3ServerKind.quick)
  func aServerThatIsKilledMidway(_ kind: S3ServerKind) async throws {
    let server = try await S3Server(kind)
    var config = server.config(.unsigned)
    config.partSize = kind.partSize
    config.attempts = 2
    let store = try S3Storage<String>(config: config, prefix: "p")
    let bytes = sampleBytes(kind.partSize * 3 + (3 << 20))
    try await store.write(forKey: "k", from: PartSequence(bytes, by: 1 << 20))
    var iterator = try await store.read(forKey: "k").makeAsyncIterator()
    let first = try await iterator.next()
    let staged = try await store.stage("k", nil, [])
    try await staged.append(sampleBytes(kind.partSize * 2))
    server.kill()
    let read = await failure {
      var count = first?.count ?? 0
      while let part = try await iterator.next() {
        #expect(part == bytes.dropFirst(count).prefix(part.count))
        count += part.count
      }
    }
    #expect(read == .backendFailed)
    let write = await failure {
      try await staged.append(sampleBytes(kind.partSize * 2))
      try await staged.commit(ifAbsent: false)
    }
    #expect(write == .backendFailed)
    await staged.discard()
    // moto keeps its objects in memory, and loses them when it is killed.
    if kind == .moto { return }
    try await server.restart()
    #expect(try await store.object(forKey: "k") == bytes)
  }

  /// A range whose connection is lost is requested again, and only that range.
  @Test func aLostConnectionIsResumed() async throws {
    let size = StoredBytes.partSize + 1500
    let scripted = try Scripted { request in
      let words =
        request.fields["range"]?.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) } ?? []
      guard words.count == 2 else { return .refusal(400, "NoRange") }
      let last = min(words[1], size - 1)
      let bytes = (words[0]...last).map { UInt8(truncatingIfNeeded: $0 / 7) }
      let isLost = request.index == 2
      return .init(
        status: 206, fields: [("ETag", "\"t\""), ("Content-Range", "bytes \(words[0])-\(last)/\(size)")],
        bytes: isLost ? Array(bytes.prefix(100)) : bytes, claimedLength: bytes.count)
    }
    defer { scripted.stop() }
    let read = try await scripted.store.read(forKey: "k").data()
    #expect(read == Data((0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) }))
    #expect(scripted.received.count == 5)
  }
}
