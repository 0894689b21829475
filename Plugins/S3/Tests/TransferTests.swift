#if os(Linux)
  import Foundation
  import StrataCore
  import TestSupport
  import Testing

  @testable import StrataS3

  /// What is sent and received over connections that are kept, cut, encrypted or led through a proxy.
  @Suite(.endsInTime) struct TransferTests {
    // MARK: Kept connections

    /// libcurl by itself sends a request again if a kept connection ends without a response.
    @Test func aWriteIsSentOnceOverAKeptConnection() async throws {
      let scripted = try Scripted {
        $0.index == 0 ? .init(fields: [("ETag", "\"t\"")], body: "value", isKept: true) : .lost
      }
      defer { scripted.stop() }
      _ = try await scripted.store.object(forKey: "k")
      let error = await failure { try await scripted.store.setObject(Data("v".utf8), forKey: "k") }
      #expect(error?.message.contains("may or may not have been executed") == true)
      #expect((error?.cause as? S3ConnectionError)?.isSent == true)
      #expect(scripted.received == ["GET /bucket/p/k", "PUT /bucket/p/k"])
    }

    @Test func aReadIsSentAgainAfterAKeptConnection() async throws {
      let scripted = try Scripted {
        $0.index == 1 ? .lost : .init(fields: [("ETag", "\"t\"")], body: "value", isKept: $0.index == 0)
      }
      defer { scripted.stop() }
      for _ in 0..<2 { #expect(try await scripted.store.object(forKey: "k") == Data("value".utf8)) }
      #expect(scripted.received.count == 3 && scripted.pauses.all.isEmpty)
    }

    @Test func concurrentRequestsGetTheirOwnResponses() async throws {
      let server = try LocalServer { .init(body: $0.target, isKept: $0.index % 3 != 0) }
      defer { server.stop() }
      let (transfers, address) = try (transfers(), server.url().absoluteString)
      try await withThrowingTaskGroup { group in
        for task in 0..<16 {
          group.addTask {
            for number in 0..<20 {
              let response = try await transfers.receive(WebRequest(url: "\(address)\(task)/\(number)")) {
                _ in 100
              }
              #expect(response.data == Data("/\(task)/\(number)".utf8))
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(server.received.count == 320)
    }

    /// Cancellations before, while and after a request is handed to the thread of the transfers.
    @Test func cancelledRequestsEnd() async throws {
      let server = try LocalServer { $0.index % 2 == 0 ? .init(isSilent: true) : .init(body: "b") }
      defer { server.stop() }
      let (transfers, address) = try (transfers(), server.url().absoluteString)
      var random = SeededGenerator(seed: Soak.seed)
      for _ in 0..<Soak.rounds(50, soak: 5000) {
        let task = Task { try await transfers.receive(WebRequest(url: address)) { _ in 100 } }
        for _ in 0..<Int.random(in: 0..<50, using: &random) { await Task.yield() }
        task.cancel()
        do { #expect(try await task.value.data == Data("b".utf8)) } catch {
          #expect(error is CancellationError)
        }
      }
    }

    // MARK: Responses

    @Test func fieldsAreThoseOfTheLastResponse() async throws {
      let response = try await response(
        """
        HTTP/1.1 103 Early Hints\r\nLink: </style>\r\nETag: "no"\r\n\r\nHTTP/1.1 200 OK\r\nETag:"t"\r\nX-A: 1\r\n\
        x-a:  2 \t\r\nX-Empty:\r\nContent-Length: 5\r\n\r\nvalue
        """)
      #expect(response.status == 200 && response.data == Data("value".utf8))
      #expect(response.fields == ["etag": "\"t\"", "x-a": "1, 2", "x-empty": "", "content-length": "5"])
    }

    @Test func bodiesInChunksAreJoined() async throws {
      let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
      #expect(try await response(head + "3\r\nval\r\n2\r\nue\r\n0\r\n\r\n").data == Data("value".utf8))
      // The connection ends after the first chunk.
      let error = await #expect(throws: S3ConnectionError.self) { try await response(head + "3\r\nval\r\n") }
      #expect(error?.reason == .lost && error?.isSent == true)
    }

    /// The bytes are those that were stored, and that the checksums are of.
    @Test func encodedBodiesAreNotDecoded() async throws {
      let response = try await response(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nno gz")
      #expect(response.data == Data("no gz".utf8))
    }

    @Test(arguments: ["no HTTP\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nvalue"])
    func whatIsNotHTTPIsALostConnection(_ raw: String) async throws {
      let error = await #expect(throws: S3ConnectionError.self) { try await response(raw) }
      #expect(error?.reason == .lost && error?.isSent == true)
    }

    @Test func aServerThatNobodyKnowsIsUnreachable() async throws {
      let error = await #expect(throws: S3ConnectionError.self) {
        try await transfers().receive(WebRequest(url: "http://no-such-host.invalid/")) { _ in 100 }
      }
      #expect(error?.reason == .unreachable && error?.isSent == false)
    }

    // MARK: TLS

    private static let secureServer = """
      import http.server, ssl, sys
      class Handler(http.server.BaseHTTPRequestHandler):
          def do_GET(self):
              self.send_response(200)
              self.send_header("Content-Length", "5")
              self.end_headers()
              self.wfile.write(b"value")
          def do_PUT(self):
              self.rfile.read(100)
              self.close_connection = True
          def log_message(self, *_): pass
      context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
      context.load_cert_chain(sys.argv[1], sys.argv[2])
      server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
      server.socket = context.wrap_socket(server.socket, server_side=True)
      print(server.server_port, flush=True)
      server.serve_forever()
      """

    /// Python's server, with a certificate for 127.0.0.1.
    @Test func certificatesAreChecked() async throws {
      let certificates = try await Certificates.all.value
      let server = try Program(
        [
          Python.path, "-c", Self.secureServer, certificates.path("server.pem"),
          certificates.path("server.key"),
        ])
      defer {
        server.signal(SIGKILL)
        _ = server.wait()
      }
      let port = try await server.firstLine()
      let authority = certificates.path("authority.pem")
      let trusting = try Transfers(connections: 2, timeout: .seconds(30), certificates: authority)
      let response = try await trusting.receive(WebRequest(url: "https://127.0.0.1:\(port)/")) { _ in 100 }
      #expect(response.data == Data("value".utf8))

      for (host, trusted) in [
        ("127.0.0.1", certificates.path("stranger.pem")), ("127.0.0.1", nil), ("localhost", authority),
      ] {
        let transfers = try Transfers(connections: 2, timeout: .seconds(30), certificates: trusted)
        let error = await #expect(throws: S3ConnectionError.self) {
          try await transfers.receive(WebRequest(url: "https://\(host):\(port)/")) { _ in 100 }
        }
        #expect(error?.reason == .untrusted && error?.isSent == false && error?.isPassing == false)
      }

      // The server closes the connection during the upload, which must not end this process by a signal.
      let upload = WebRequest(
        method: "PUT", url: "https://127.0.0.1:\(port)/", body: sampleBytes(8 << 20), isRepeatable: false)
      let error = await #expect(throws: S3ConnectionError.self) {
        try await trusting.receive(upload) { _ in 100 }
      }
      #expect(error?.reason == .lost && error?.isSent == true)
    }

    // MARK: Proxies

    @Test func requestsPassTheProxyOfTheEnvironment() async throws {
      if let words = SecondProcess.arguments {
        await SecondProcess.run {
          setenv("http_proxy", words[0], 1)
          let response = try await transfers().receive(WebRequest(url: "http://objects.invalid/k")) { _ in 100
          }
          SecondProcess.say(String(decoding: response.data ?? Data(), as: UTF8.self))
        }
      }
      let proxy = try LocalServer { .init(body: "\($0.target)\n") }
      defer { proxy.stop() }
      let program = try SecondProcess.start(words: [try proxy.url().absoluteString])
      #expect(program.wait() == .exit(0))
      #expect(try program.lines.contains("http://objects.invalid/k"))
    }

    private func transfers() throws -> Transfers {
      try Transfers(connections: 16, timeout: .seconds(30), certificates: nil)
    }

    /// Receives a response that consists of these bytes.
    private func response(_ raw: String) async throws -> WebResponse {
      let server = try LocalServer { _ in .init(raw: raw) }
      defer { server.stop() }
      return try await transfers().receive(WebRequest(url: try server.url().absoluteString)) { _ in 100 }
    }
  }
#endif
