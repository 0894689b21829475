import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Bodies that exceed the limit, and bodies that are written to a file.
@Suite(.endsInTime)
struct BodyLimitTests {
  /// Returns a gzip stream that decodes to `count` times 258 zero bytes, each from 13 bits, and is then truncated.
  static func bomb(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
    var (buffer, filled): (UInt32, UInt32) = (0, 0)
    func put(_ bits: [UInt32]) {
      for bit in bits {
        buffer |= bit << filled
        filled += 1
        guard filled == 8 else { continue }
        bytes.append(UInt8(buffer))
        (buffer, filled) = (0, 0)
      }
    }
    put([1, 1, 0])  // the last block, with the fixed codes
    put([0, 0, 1, 1, 0, 0, 0, 0])  // a zero byte
    for _ in 0..<count { put([1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0]) }  // 258 times the byte before
    put([0, 0, 0, 0, 0, 0, 0])  // the end of the block
    return bytes + [0, 0, 0, 0, 0]
  }

  @Test("a small compressed body that decodes to a large one ends the request")
  func bomb() async throws {
    let bytes = Self.bomb(65_536)
    let server = try LocalServer { _ in .init(fields: [("Content-Encoding", "gzip")], bytes: bytes) }
    defer { server.stop() }
    let storage = URLSessionStorage(bodyLimit: 1_000_000)
    let error = await failure { _ = try await storage.retrieve(forKey: .url(server.url())) }
    #expect(error == .tooLarge)
    #expect(error?.message.contains("1000000") == true)
    #expect(error?.place == (try server.url().absoluteString))
  }

  @Test(
    "a body may have as many bytes as the limit, and no more", arguments: [9, 10, 11, nil])
  func limit(limit: Int?) async throws {
    let server = try LocalServer { _ in .ok("0123456789") }
    defer { server.stop() }
    for storage in [
      URLSessionStorage(bodyLimit: limit), URLSessionStorage(session: .shared, bodyLimit: limit),
    ] {
      if limit == 9 {
        let error = await failure { _ = try await storage.retrieve(forKey: .url(server.url())) }
        #expect(error == .tooLarge)
      } else {
        #expect(try await storage.retrieve(forKey: .url(server.url())).text == "0123456789")
      }
    }
  }

  @Test("a stated length that exceeds the limit ends the request before the body")
  func statedLength() async throws {
    let server = try LocalServer { _ in .init(claimedLength: 4 << 30, staysOpen: true) }
    defer { server.stop() }
    var request = URLRequest(url: try server.url())
    request.timeoutInterval = 10
    let error = await failure { _ = try await URLSessionStorage().retrieve(forKey: .urlRequest(request)) }
    #expect(error == .tooLarge)
    await until { server.hangUps == 1 }
  }

  @Test("a stated length that is not the body's is ignored", arguments: ["HEAD", "304", "gzip"])
  func otherLength(reason: String) async throws {
    let body: [UInt8] = [
      31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 51, 48, 52, 50, 54, 49, 53, 51, 183, 176, 4, 0, 198, 199, 132, 166, 10,
      0, 0, 0,
    ]
    let server = try LocalServer { request in
      request.target == "/gzip"
        ? .init(fields: [("Content-Encoding", "gzip")], bytes: body)
        : .init(status: request.target == "/304" ? 304 : 200, claimedLength: 10_000)
    }
    defer { server.stop() }
    let storage = URLSessionStorage(bodyLimit: 10)
    let key = request(try server.url("/\(reason)"), reason == "HEAD" ? "HEAD" : "GET")
    #expect(try await storage.retrieve(forKey: key).text == (reason == "gzip" ? "0123456789" : ""))
  }

  @Test(
    "a cookie that a redirection sets is sent with the redirected request, with and without a limit",
    arguments: [100, nil])
  func redirection(limit: Int?) async throws {
    let server = try LocalServer {
      $0.target == "/old"
        ? .status(302, "", ["Location": "/new", "Set-Cookie": "a=b"]) : .ok($0.fields["cookie"] ?? "-")
    }
    defer { server.stop() }
    let storage = URLSessionStorage(bodyLimit: limit)
    #expect(try await storage.retrieve(forKey: .url(server.url("/old"))).text == "a=b")
  }

  @Test("a session's own delegate receives the same calls with a limit and without", arguments: [100, nil])
  func sessionDelegate(limit: Int?) async throws {
    final class Delegate: NSObject, URLSessionTaskDelegate {
      func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
      ) {
        completionHandler(nil)
      }

      func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
      ) {
        guard challenge.previousFailureCount == 0 else {
          return completionHandler(.performDefaultHandling, nil)
        }
        completionHandler(.useCredential, URLCredential(user: "me", password: "pw", persistence: .none))
      }
    }
    let server = try LocalServer {
      if $0.target == "/old" { return .status(302, "stay", ["Location": "/new"]) }
      return $0.fields["authorization"] == nil
        ? .status(401, "who?", ["WWW-Authenticate": "Basic realm=\"x\""]) : .ok("you")
    }
    defer { server.stop() }
    let session = URLSession(configuration: .uncached, delegate: Delegate(), delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let storage = URLSessionStorage(session: session, bodyLimit: limit)
    #expect(try await storage.retrieve(forKey: .url(server.url("/old"))).status == 302)
    #expect(try await storage.retrieve(forKey: .url(server.url("/login"))).text == "you")
  }

  @Test("a body too long for the cache is returned but not stored, and removes the old response")
  func unstored() async throws {
    let server = try LocalServer {
      .ok($0.index == 0 ? "short" : "longer than that", ["Cache-Control": "max-age=60"])
    }
    defer { server.stop() }
    let store = DictionaryStorage<String, Data>()
    let cache = HTTPCache(store: store, config: HTTPCacheConfig(bodyLimit: 5))
    #expect(try await cache.retrieve(forKey: .url(server.url())).text == "short")
    #expect(store.objects.count == 1)
    let again = request(try server.url(), "GET", ["Cache-Control": "no-cache"])
    #expect(try await cache.retrieve(forKey: again).text == "longer than that")
    #expect(store.objects.isEmpty)
  }

  @Test("a download writes the body to a file unchanged, replaces an old file, and ignores the limit")
  func download() async throws {
    let body = String(repeating: "0123456789", count: 100_000)
    let server = try LocalServer { .status($0.target == "/404" ? 404 : 200, body, ["X-Test": "yes"]) }
    defer { server.stop() }
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let file = folder.url.appending(path: "film")
    try Data("old".utf8).write(to: file)
    let storage = URLSessionStorage(bodyLimit: 10)
    let response = try await storage.download(forKey: .url(server.url()), to: file)
    #expect(response.statusCode == 200 && response.value(forHTTPHeaderField: "X-Test") == "yes")
    #expect(try Data(contentsOf: file) == Data(body.utf8))
    #expect(try await storage.download(forKey: .url(server.url("/404")), to: file).statusCode == 404)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["film"])
  }

  @Test("a download that fails leaves the file unchanged")
  func failedDownload() async throws {
    let server = try LocalServer { _ in .init(body: "only this", claimedLength: 1000) }
    defer { server.stop() }
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let file = folder.url.appending(path: "film")
    try Data("old".utf8).write(to: file)
    let storage = URLSessionStorage()
    let error = await failure { try await storage.download(forKey: .url(server.url()), to: file) }
    #expect(error == .backendFailed)
    let missing = folder.url.appending(path: "missing/film")
    let whole = try LocalServer { _ in .ok("whole") }
    defer { whole.stop() }
    let second = await failure { try await storage.download(forKey: .url(whole.url()), to: missing) }
    #expect(second == .backendFailed && second?.place == missing.path)
    #expect(try Data(contentsOf: file) == Data("old".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["film"])
  }
}
