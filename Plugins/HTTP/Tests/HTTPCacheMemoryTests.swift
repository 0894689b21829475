#if os(Linux)
  import Foundation
  import StrataDisk
  import StrataHTTP
  import TestSupport
  import Testing

  /// A download that is larger than memory, from a server that is not ours.
  @Suite(.endsInTime, .withoutSanitizer) struct HTTPCacheMemoryTests {
    /// Prints its port. The path of a request is the number of bytes of the answer.
    static let server = """
      import http.server
      piece = bytes(range(256)) * 256
      class Answers(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def log_message(self, *words): pass
        def do_GET(self):
          rest = int(self.path[1:])
          self.send_response(200)
          self.send_header("Content-Length", str(rest))
          self.send_header("Cache-Control", "max-age=3600")
          self.end_headers()
          while rest > 0:
            self.wfile.write(piece[:rest])
            rest -= min(rest, len(piece))
      server = http.server.HTTPServer(("127.0.0.1", 0), Answers)
      print(server.server_port, flush=True)
      server.serve_forever()
      """

    @Test("a download through a cache on disk needs 48 MiB of memory, whatever its length")
    func download() async throws {
      let length = Soak.rounds(512 << 20, soak: 4 << 30) + 5
      if let words = SecondProcess.arguments {
        await SecondProcess.run {
          let disk = try DiskStorage<String>(
            config: DiskConfig(name: "web", directory: URL(filePath: words[1])))
          let web = URLSessionStorage.shared.cached(in: disk)
          _ = try await read(3 << 20, from: web, words[0])
          let idle = try processStatus("VmRSS")
          try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
          // The first time from the server, the second time from the disk.
          for _ in 0..<2 { try await read(length, from: web, words[0]) }
          SecondProcess.say("more \(try processStatus("VmHWM") - idle)")
        }
      }
      let server = try Program([Python.path, "-c", Self.server])
      // A child that is not waited for would hold up the exit tests of this process.
      defer {
        server.signal(SIGKILL)
        _ = server.wait()
      }
      let port = try await server.firstLine()
      let folder = TemporaryFolder()
      let reader = try SecondProcess.start(words: [port, folder.url.path])
      let end = reader.wait()
      let said = try reader.lines
      #expect(end == .exit(0), "\(said.suffix(5))")
      let more = try #require(said.first { $0.hasPrefix("more ") }.flatMap { Int($0.dropFirst(5)) })
      print("\(length >> 20) MiB through a cache on disk, twice: \(more) KiB of memory more")
      #expect(more < 48 << 10)
    }

    struct WrongBytes: Error {
      let offset: Int
      let part: Data?
    }

    private func read(_ length: Int, from web: some ResponseStreaming, _ port: String) async throws {
      guard let url = URL(string: "http://127.0.0.1:\(port)/\(length)") else { throw URLError(.badURL) }
      var offset = 0
      for try await part in try await web.stream(.url(url)).body {
        guard part.first == UInt8(truncatingIfNeeded: offset) else {
          throw WrongBytes(offset: offset, part: part.prefix(4))
        }
        offset += part.count
      }
      if offset != length { throw WrongBytes(offset: offset, part: nil) }
    }
  }
#endif
