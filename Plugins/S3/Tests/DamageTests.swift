#if canImport(Glibc)
  import Foundation
  import StrataCore
  import TestSupport
  import Testing

  @testable import StrataS3

  /// Bytes that are changed on their way, or by the server.
  @Suite(.serialized, .endsInTime) struct DamageTests {
    /// A value of three parts with the proxy's marker in the middle of the second.
    private static let bytes = {
      var bytes = sampleBytes(12 << 20)
      bytes.replaceSubrange(7_000_000..<7_000_000 + FlippingProxy.marker.count, with: FlippingProxy.marker)
      return bytes
    }()

    private func config(through proxy: FlippingProxy, to server: S3Server) throws -> S3Config {
      var config = server.config(.unsigned)
      config.endpoint = S3Server.endpoint(proxy.port)
      return config
    }

    /// SeaweedFS states one checksum of all parts, so the last part is what a reader does not get.
    @Test(
      .enabled(if: S3Tools.has(.seaweed)), arguments: ["damaged", String(repeating: "damaged/", count: 100)])
    func aReaderNeverSeesTheEndOfADamagedValue(_ key: String) async throws {
      let server = try await S3Server.shared(.seaweed)
      let proxy = try FlippingProxy(to: server.port)
      defer { proxy.stop() }
      let store = try S3Storage<String>(config: config(through: proxy, to: server), prefix: "damage")
      try await store.write(forKey: key, from: PartSequence(Self.bytes, by: 1 << 20))
      #expect(try await store.read(forKey: key).data() == Self.bytes)
      var count = 0
      let error = await failure {
        try await proxy.flipping(.down) {
          for try await part in try await store.read(forKey: key) { count += part.count }
        }
      }
      #expect(
        error == .malformedFileAttributes && proxy.flipped > 0 && count <= 10 << 20,
        "\(count) \(proxy.flipped)")
      try await store.removeAll()
    }

    @Test(.enabled(if: S3Tools.has(.seaweed)))
    func aServerRefusesAPartThatWasDamagedOnItsWay() async throws {
      let server = try await S3Server.shared(.seaweed)
      let proxy = try FlippingProxy(to: server.port)
      defer { proxy.stop() }
      let store = try S3Storage<String>(config: config(through: proxy, to: server), prefix: "damage")
      let old = Data("old".utf8)
      try await store.setObject(old, forKey: "k")
      for write in [
        { try await store.write(forKey: "k", from: PartSequence(Self.bytes, by: 1 << 20)) },
        { try await store.setObject(Self.bytes + Self.bytes, forKey: "k") },
      ] as [() async throws -> Void] {
        let flipped = proxy.flipped
        let error = await failure { try await proxy.flipping(.up, write) }
        #expect(error == .backendFailed && proxy.flipped > flipped)
        #expect(error?.message.contains("changed on their way") == true, "\(String(describing: error))")
        #expect(try await store.object(forKey: "k") == old)
      }
      try await store.removeAll()
    }

    /// AWS states the checksum of each part: a reader gets all parts before the damaged one, and no byte of that.
    @Test(arguments: [1000, 1]) func aReaderNeverSeesADamagedPart(_ pageSize: Int) async throws {
      let bytes = sampleBytes(3 << 20)
      let ends = [1 << 20, 2_500_000, 2_500_600, bytes.count]
      let damage = Locked<Int?>(nil)
      let scripted = try Scripted(partSize: 1 << 20) { request in
        if request.target.hasSuffix("?attributes=") {
          return .init(
            body: Self.list(
              of: bytes, ends, after: Int(request.fields["x-amz-part-number-marker"] ?? "") ?? 0, pageSize))
        }
        var sent = bytes
        if let place = damage.withLock({ $0 }) { sent[place] ^= 1 }
        return Self.range(of: sent, for: request)
      }
      defer { scripted.stop() }
      #expect(try await scripted.store.read(forKey: "k").data() == bytes)
      for range in [0..<2_000_000, 1..<bytes.count, 600..<2_500_600, 2_600_000..<bytes.count] {
        #expect(try await scripted.store.read(forKey: "k", range: range).data() == bytes[range])
      }
      for (place, start) in [
        (0, 0), (1_048_575, 0), (1_500_000, 1 << 20), (2_500_000, 2_500_000), (bytes.count - 1, 2_500_600),
      ] {
        damage.withLock { $0 = place }
        var read = Data()
        let error = await failure {
          for try await part in try await scripted.store.read(forKey: "k") { read += part }
        }
        #expect(error == .malformedFileAttributes, "\(place)")
        // The second part takes two requests. Only the second one completes it.
        #expect(
          read.count >= start && read.count < (ends.first { $0 > place } ?? 0), "\(place) \(read.count)")
        #expect(read.prefix(start) == bytes.prefix(start))
      }
    }

    /// Answers a request for a range of an object.
    private static func range(of bytes: Data, for request: LocalServer.Received) -> LocalServer.Answer {
      let words =
        request.fields["range"]?.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) } ?? []
      let range = words[0]..<min(words[1] + 1, bytes.count)
      return .init(
        status: 206,
        fields: [
          ("ETag", "\"tag-4\""),
          ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"),
        ],
        bytes: Array(bytes[range]))
    }

    /// Returns a page of AWS's list of parts.
    private static func list(of bytes: Data, _ ends: [Int], after marker: Int, _ count: Int) -> String {
      var text = ""
      for number in marker..<min(marker + count, ends.count) {
        let range = (number == 0 ? 0 : ends[number - 1])..<ends[number]
        text += """
          <Part><PartNumber>\(number + 1)</PartNumber><Size>\(range.count)</Size>\
          <ChecksumCRC32C>\(CRC32C(bytes[range]).base64)</ChecksumCRC32C></Part>
          """
      }
      return """
        <GetObjectAttributesResponse><ETag>tag-4</ETag><ObjectParts><IsTruncated>\(marker + count < ends.count)</IsTruncated>\
        <NextPartNumberMarker>\(min(marker + count, ends.count))</NextPartNumberMarker>\(text)</ObjectParts></GetObjectAttributesResponse>
        """
    }

    /// Bytes of which the server has no checksums are returned as they are.
    @Test(arguments: [
      LocalServer.Answer.refusal(501, "NotImplemented"), .refusal(403, "AccessDenied"),
      .init(body: "<html></html>"),
      .init(body: "<GetObjectAttributesResponse><ETag>tag-4</ETag></GetObjectAttributesResponse>"),
      .init(body: "<getObjectAttributesResponse><ETag>other</ETag></getObjectAttributesResponse>"),
    ])
    func withoutChecksumsNothingIsVerified(_ answer: LocalServer.Answer) async throws {
      let bytes = sampleBytes(3 << 20)
      let scripted = try Scripted(partSize: 1 << 20) { request in
        if request.target.contains("attributes") { return answer }
        return Self.range(of: bytes, for: request)
      }
      defer { scripted.stop() }
      for _ in 0..<2 { #expect(try await scripted.store.read(forKey: "k").data() == bytes) }
      let lists = scripted.received.filter { $0.contains("attributes") }.count
      #expect(lists == (answer.status == 200 ? 2 : 1))
    }

    /// The vectors of RFC 3720.
    @Test func crc32c() {
      #expect(CRC32C(Data(count: 32)).base64 == Data([0x8a, 0x91, 0x36, 0xaa]).base64EncodedString())
      #expect(CRC32C(Data(repeating: 0xff, count: 32)).bytes == Data([0x62, 0xa8, 0xab, 0x43]))
      #expect(CRC32C(Data(0..<32)).bytes == Data([0x46, 0xdd, 0x79, 0x4e]))
      var parts = CRC32C(Data(0..<7))
      parts.update(Data(7..<32))
      #expect(parts == CRC32C(Data(0..<32)) && parts == CRC32C(base64: "Rt15Tg=="))
      #expect(CRC32C() == CRC32C(Data()) && CRC32C(base64: "Rt15") == nil)
    }
  }
#endif
