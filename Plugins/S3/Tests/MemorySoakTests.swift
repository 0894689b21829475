import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataS3

/// The memory that the transfer of a large file needs, measured in a separate process.
@Suite(.serialized, .endsInTime) struct MemorySoakTests {
  @Test(.enabled(if: S3Tools.has(.seaweed)))
  func aFileIsNeverInMemoryAsAWhole() async throws {
    let size = Soak.rounds(72 << 20, soak: 1 << 30)
    if let arguments = SecondProcess.arguments {
      await SecondProcess.run {
        let (port, path) = (try #require(Int(arguments[0])), URL(filePath: arguments[1]))
        let config = S3Config(
          bucket: S3Server.bucket, endpoint: S3Server.endpoint(port), credentials: S3Server.credentials,
          payloadSigning: .unsigned)
        let store = try S3Storage<String>(config: config, prefix: "memory")
        // The first request loads the session's code into memory, so that it does not count.
        _ = try await store.entryIfPresent(forKey: "none")
        let before = try peakMemory()
        try await store.importObject(from: path, forKey: "large")
        SecondProcess.say("before \(before >> 20), up \(try peakMemory() >> 20)")
        try await store.exportObject(forKey: "large", to: path.appendingPathExtension("copy"))
        SecondProcess.say("more \((try peakMemory() - before) >> 10)")
      }
    }
    let server = try await S3Server.shared(.seaweed)
    let file = TemporaryFolder().url.appending(path: "large")
    try write(size, to: file)
    let program = try SecondProcess.start(words: ["\(server.port)", file.path(percentEncoded: false)])
    let end = program.wait()
    let said = try program.lines
    #expect(end == .exit(0), "\(said.suffix(5))")
    let line = try #require(said.first { $0.hasPrefix("more ") })
    let peak = try #require(Int(line.dropFirst(5)))
    print("\(size >> 20) MiB up and down: \(peak >> 10) MiB more; \(said)")
    let compared = try Program.run(
      [
        "cmp", file.path(percentEncoded: false),
        file.appendingPathExtension("copy").path(percentEncoded: false),
      ])
    #expect(compared.end == .exit(0))
    #expect(peak >> 10 < 40, "it took \(peak >> 10) MiB")
    try await S3Storage<String>(config: server.config(), prefix: "memory").removeAll()
  }

  #if os(Linux)
    /// The body of each part is signed, as always over HTTP.
    @Test(.enabled(if: S3Tools.has(.seaweed)), .withoutSanitizer)
    func aLargeValueNeedsLittleMemory() async throws {
      let length = Soak.rounds(64 << 20, soak: 4 << 30) + 5
      if let arguments = SecondProcess.arguments {
        await SecondProcess.run {
          let config = S3Config(
            bucket: S3Server.bucket, endpoint: S3Server.endpoint(try #require(Int(arguments[0]))),
            credentials: S3Server.credentials)
          let store = try S3Storage<String>(config: config, prefix: "stream")
          SecondProcess.say("more \(try await memory(ofStreaming: length, store))")
        }
      }
      let server = try await S3Server.shared(.seaweed)
      try expectLittleMemory("s3", length, ["\(server.port)"])
      try await S3Storage<String>(config: server.config(), prefix: "stream").removeAll()
    }
  #endif

  /// A store with a million keys is listed page by page. The server generates the pages in AWS's format, since storing
  /// a million objects in SeaweedFS would take a debug build an hour.
  @Test func aMillionKeysAreListedInLittleMemory() async throws {
    let pages = Soak.rounds(10, soak: 1000)
    if let arguments = SecondProcess.arguments {
      await SecondProcess.run {
        let config = S3Config(
          bucket: "bucket", endpoint: URL(string: arguments[0]), credentials: S3Server.credentials)
        let store = try S3Storage<String>(config: config, prefix: "p")
        _ = try await store.keyPage(after: nil, limit: 1000)
        let before = try peakMemory()
        var count = 0
        for try await keys in store.keyPages() { count += keys.count }
        SecondProcess.say("\(count) keys")
        SecondProcess.say("more \((try peakMemory() - before) >> 10)")
      }
    }
    let server = try LocalServer { request in
      if request.method == "HEAD" { return .init(status: 404) }
      let token = request.target.range(of: "continuation-token=").map { request.target[$0.upperBound...] }
      let page = Int(token ?? "0") ?? 0
      let names = (0..<1000).map {
        """
        <Contents><Key>p/key-\(page)-\($0)</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>\
        <ETag>&quot;d41d8cd98f00b204e9800998ecf8427e&quot;</ETag><Size>1</Size><StorageClass>STANDARD</StorageClass>\
        </Contents>
        """
      }
      let next = page + 1 == pages ? "" : "<NextContinuationToken>\(page + 1)</NextContinuationToken>"
      return .init(
        body:
          "<ListBucketResult><IsTruncated>\(page + 1 < pages)</IsTruncated>\(next)\(names.joined())</ListBucketResult>"
      )
    }
    defer { server.stop() }
    let program = try SecondProcess.start(words: [try server.url("/").absoluteString])
    let end = program.wait()
    let said = try program.lines
    #expect(end == .exit(0) && said.contains("\(pages)000 keys"), "\(said.suffix(5))")
    let line = try #require(said.first { $0.hasPrefix("more ") })
    let more = try #require(Int(line.dropFirst(5)))
    print("\(pages)000 keys: \(more >> 10) MiB more")
    #expect(more >> 10 < 50, "it took \(more >> 10) MiB")
  }

  private func write(_ size: Int, to file: URL) throws {
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    defer { handle.closeFile() }
    let block = sampleBytes(1 << 20)
    for number in 0..<size >> 20 {
      try handle.write(contentsOf: Data("\(number)".utf8) + block.dropFirst("\(number)".utf8.count))
    }
  }
}
