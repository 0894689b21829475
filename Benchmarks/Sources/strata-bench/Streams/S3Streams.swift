import BenchHarness
import Foundation
import StrataS3

/// One value, written to `S3Storage` and read again, and the same requests by `URLSession` alone, and by curl.
struct S3Streams {
  /// The size of the value in MiB.
  let size: Int
  let rounds: Int

  func run() throws -> (table: Table, aims: [Aim]) {
    let server = try LocalS3()
    let config = S3Config(
      bucket: LocalS3.bucket, endpoint: server.endpoint,
      credentials: .fixed(accessKeyID: "id", secretAccessKey: "key"), payloadSigning: .unsigned)
    let store = try S3Storage<String>(config: config, prefix: "streams")
    let bare = BareS3Streams(port: server.port, part: config.partSize, size: size << 20)
    let size = size
    var (writes, reads) = (PairedTimes(), PairedTimes())
    var (curlWrites, curlReads) = (PairedTimes(), PairedTimes())
    let write = { try waiting { try await store.write(forKey: "value", from: RepeatedPart(rest: size)) } }
    let read = { try waiting { for try await _ in try await store.read(forKey: "value") {} } }
    for round in 0..<rounds {
      Progress.say("streams: S3, round \(round + 1) of \(rounds)")
      try writes.add(round: round, ours: write) { try waiting { try await bare.write("/streams/bare") } }
      try reads.add(round: round, ours: read) { try waiting { try await bare.read("/streams/value") } }
      try curlWrites.add(round: round, ours: write) { try curl(server, uploading: true) }
      try curlReads.add(round: round, ours: read) { try curl(server, uploading: false) }
    }
    var table = Table(["operation", "bare client", "Strata", "bare", "ratio"])
    var aims: [Aim] = []
    for (name, peer, pair) in [
      ("write", "URLSession", writes), ("read", "URLSession", reads), ("write", "curl", curlWrites),
      ("read", "curl", curlReads),
    ] {
      table.add([
        .text(name), .text(peer), .measure(Double(size) / pair.ours.median),
        .measure(Double(size) / pair.theirs.median), .ratio(pair.ratio),
      ])
      if peer == "URLSession" {
        aims.append(.atLeast(0.9, pair.ratio, "Streams, S3 \(name), against URLSession"))
      }
    }
    return (table, aims)
  }

  /// Sends or receives the whole value by one request.
  private func curl(_ server: LocalS3, uploading: Bool) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    let (url, count) = ("http://127.0.0.1:\(server.port)/\(LocalS3.bucket)/streams", size << 20)
    process.arguments = [
      "-c",
      uploading
        ? "head -c \(count) /dev/zero | curl -sf -H 'Content-Length: \(count)' -H 'Transfer-Encoding:' -T - \(url)/curl"
        : "curl -sf -o /dev/null \(url)/value",
    ]
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus != 0 { throw Failure("curl failed: \(process.terminationStatus)") }
  }
}

/// The requests of a streamed value by a plain `URLSession`: parts of the same size, as many at a time, without
/// signatures, checksums, retries and limits.
struct BareS3Streams: Sendable {
  private let web: BareS3
  /// The bytes of a part, and of the value.
  private let part: Int
  private let size: Int

  init(port: Int, part: Int, size: Int) {
    web = BareS3(port: port, connections: 16)
    (self.part, self.size) = (part, size)
  }

  private func ranges() -> [Range<Int>] {
    stride(from: 0, to: size, by: part).map { $0..<min($0 + part, size) }
  }

  /// Receives the value, with two requests ahead.
  func read(_ path: String) async throws {
    var (requests, count) = ([Task<Data, any Error>](), 0)
    for range in ranges() {
      if requests.count == 2 { count += try await requests.removeFirst().value.count }
      requests.append(
        Task {
          try await web.send(
            "GET", path, fields: ["Range": "bytes=\(range.lowerBound)-\(range.upperBound - 1)"])
        })
    }
    for request in requests { count += try await request.value.count }
    if count != size { throw Failure("\(count) bytes were read of \(size)") }
  }

  /// Sends the value in parts, one at a time, while the next one is copied.
  func write(_ path: String) async throws {
    let begun = String(decoding: try await web.send("POST", path + "?uploads"), as: UTF8.self)
    guard let id = begun.split(separator: "<UploadId>").last?.split(separator: "<").first else {
      throw Failure("no upload was begun: \(begun)")
    }
    var sending: Task<String, any Error>?
    var list = ""
    for (index, range) in ranges().enumerated() {
      var bytes = Data(capacity: range.count)
      while bytes.count < range.count { bytes.append(RepeatedPart.part.prefix(range.count - bytes.count)) }
      if let part = try await sending?.value { list += part }
      let body = bytes
      sending = Task {
        let tag = try await web.tag("PUT", "\(path)?partNumber=\(index + 1)&uploadId=\(id)", body)
        return "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(tag)</ETag></Part>"
      }
    }
    if let part = try await sending?.value { list += part }
    let body = Data("<CompleteMultipartUpload>\(list)</CompleteMultipartUpload>".utf8)
    _ = try await web.send(
      "POST", "\(path)?uploadId=\(id)", body, fields: ["Content-Type": "application/xml"])
  }
}
