import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.endsInTime)
struct URLSessionStorageTests {
  let storage = URLSessionStorage()

  @Test("a URL is requested with GET, and the response has its status, fields and body")
  func get() async throws {
    let server = try LocalServer { .ok("hello \($0.target)", ["X-Test": "yes"]) }
    defer { server.stop() }
    let response = try await storage.retrieve(forKey: .url(server.url("/a?b=c")))
    #expect(response.text == "hello /a?b=c")
    #expect(response.status == 200)
    #expect(response["x-test"] == "yes")
    #expect(server.received.map(\.method) == ["GET"])
  }

  @Test("a request is sent unchanged: method, fields and body")
  func post() async throws {
    let server = try LocalServer { .ok($0.body) }
    defer { server.stop() }
    var request = URLRequest(url: try server.url())
    request.httpMethod = "POST"
    request.setValue("yes", forHTTPHeaderField: "X-Test")
    request.httpBody = Data("a body".utf8)
    let response = try await storage.retrieve(forKey: .urlRequest(request))
    #expect(response.text == "a body")
    let received = try #require(server.received.first)
    #expect(received.method == "POST")
    #expect(received.fields["x-test"] == "yes")
  }

  @Test("a response is returned whatever its status", arguments: [200, 204, 304, 401, 404, 410, 500, 503])
  func statuses(status: Int) async throws {
    let server = try LocalServer { _ in .status(status) }
    defer { server.stop() }
    #expect(try await storage.retrieve(forKey: .url(server.url())).status == status)
  }

  @Test("nothing is cached without an HTTPCache")
  func uncached() async throws {
    let server = try LocalServer { .ok("\($0.index)", ["Cache-Control": "max-age=1000"]) }
    defer { server.stop() }
    for expected in ["0", "1"] {
      #expect(try await URLSessionStorage.shared.retrieve(forKey: .url(server.url())).text == expected)
    }
  }

  @Test("a redirection is followed, and the response has the final URL")
  func redirection() async throws {
    let server = try LocalServer {
      $0.target == "/old" ? .status(302, "", ["Location": "/new"]) : .ok("new")
    }
    defer { server.stop() }
    let response = try await storage.retrieve(forKey: .url(server.url("/old")))
    #expect(response.text == "new")
    #expect(response.httpUrlResponse.url?.path() == "/new")
  }

  @Test("an authentication challenge without credentials is returned as a response")
  func challenge() async throws {
    let server = try LocalServer { _ in
      .status(401, "who?", ["WWW-Authenticate": "Basic realm=\"x\""])
    }
    defer { server.stop() }
    let response = try await storage.retrieve(forKey: .url(server.url()))
    #expect(response.status == 401 && response.text == "who?")
  }

  @Test("if the connection is refused, the error names the URL and the cause, and no password")
  func refused() async throws {
    let server = try LocalServer { _ in .ok("") }
    server.stop()
    let url = try #require(URL(string: "http://me:secret@127.0.0.1:\(server.port)/page"))
    let error = await failure { _ = try await storage.retrieve(forKey: .url(url)) }
    #expect(error == .backendFailed)
    #expect(error?.place == "http://127.0.0.1:\(server.port)/page")
    #expect(error?.cause is URLError)
    #expect(error?.description.contains("secret") == false)
  }

  @Test(
    "a truncated or invalid response is an error, and never a shorter response",
    arguments: [
      LocalServer.Answer(body: "only this", claimedLength: 1000),
      LocalServer.Answer(raw: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"),
      LocalServer.Answer(raw: ""), LocalServer.Answer(raw: "this is not HTTP\r\n\r\n"),
      LocalServer.Answer(raw: "HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 1\r\n\r\nx"),
    ])
  func cutOff(answer: LocalServer.Answer) async throws {
    let server = try LocalServer { _ in answer }
    defer { server.stop() }
    let error = await failure { _ = try await storage.retrieve(forKey: .url(server.url())) }
    #expect(error == .backendFailed)
    #expect(error?.cause != nil)
  }

  @Test("a server that never answers fails with the session's timeout")
  func timeout() async throws {
    let server = try LocalServer { _ in .init(isSilent: true) }
    defer { server.stop() }
    let configuration = URLSessionConfiguration.uncached
    configuration.timeoutIntervalForRequest = 0.2
    let impatient = URLSessionStorage(urlSessionConfiguration: configuration)
    let error = await failure { _ = try await impatient.retrieve(forKey: .url(server.url())) }
    #expect(error == .backendFailed)
    #expect((error?.cause as? URLError)?.code == .timedOut)
  }

  @Test("cancelling the task cancels the request")
  func cancellation() async throws {
    let server = try LocalServer { _ in .init(isSilent: true) }
    defer { server.stop() }
    let url = try server.url()
    let task = Task { try await storage.retrieve(forKey: .url(url)) }
    await until { server.received.count == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await until { server.hangUps == 1 }
  }

  /// Swift holds a task's lock while it runs the task's cancellation handlers, and takes it to resume the task. So a
  /// handler must not wait for the session while the session resumes the task.
  @Test("a request that is cancelled while it ends returns", arguments: [false, true])
  func cancelledWhileEnding(isDownload: Bool) async throws {
    // The server is stopped, so that each request ends as soon as it has begun.
    let server = try LocalServer { _ in .ok("") }
    server.stop()
    let url = try server.url()
    let file = TemporaryFolder().url.appending(path: "body")
    var ends = 0
    for _ in 0..<20 {
      let calls = (0..<50).map { _ in
        Task {
          if isDownload {
            try await storage.download(forKey: .url(url), to: file)
          } else {
            _ = try await storage.retrieve(forKey: .url(url))
          }
        }
      }
      for call in calls {
        await Task.yield()
        call.cancel()
      }
      for call in calls { if case .failure = await call.result { ends += 1 } }
    }
    #expect(ends == 1000)
  }

  @Test("a task cancelled before its request sends nothing")
  func cancelledBefore() async throws {
    let server = try LocalServer { _ in .ok("") }
    defer { server.stop() }
    let url = try server.url()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await storage.retrieve(forKey: .url(url))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.received.isEmpty)
  }

  @Test(
    "a key that is not an HTTP URL is refused",
    arguments: ["file:///etc/hosts", "nowhere", "http:///", "data:,hello"])
  func noHTTP(text: String) async throws {
    let url = try #require(URL(string: text))
    #expect(await failure { _ = try await storage.retrieve(forKey: .url(url)) } == .invalidURL)
  }

  @Test("a storage over the caller's session leaves the session usable")
  func sessionOfAnother() async throws {
    let server = try LocalServer { _ in .ok("still here") }
    defer { server.stop() }
    let session = URLSession(configuration: .uncached)
    do {
      let storage = URLSessionStorage(session: session)
      _ = try await storage.retrieve(forKey: .url(server.url()))
    }
    let again = URLSessionStorage(session: session)
    #expect(try await again.retrieve(forKey: .url(server.url())).text == "still here")
  }
}
