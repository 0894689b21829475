import Hummingbird
import HTTPTypes
import Logging

/// A context whose source is no connection, so that requests need no server.
struct TestContext: RequestContext {
  struct Source: RequestContextSource {
    let logger = Logger(label: "tests")
  }

  var coreContext: CoreRequestContextStorage

  init(source: Source) { coreContext = CoreRequestContextStorage(source: source) }
}

/// A router to which requests are sent directly.
struct Service<Context: RequestContext>: Sendable where Context.Source == TestContext.Source {
  struct Answer: Sendable {
    let status: HTTPResponse.Status
    let fields: HTTPFields
    let text: String
  }

  private let responder: RouterResponder<Context>

  init(_ router: Router<Context>) { responder = router.buildResponder() }

  /// Sends a request. An error that is a response of Hummingbird is returned as such; others are thrown.
  func send(
    _ method: HTTPRequest.Method, _ path: String, _ fields: HTTPFields = [:], body: String? = nil,
    host: String = "service.test"
  ) async throws -> Answer {
    var fields = fields
    if let body { fields[.contentLength] = "\(body.utf8.count)" }
    let request = Request(
      head: HTTPRequest(method: method, scheme: "http", authority: host, path: path, headerFields: fields),
      body: RequestBody(buffer: ByteBuffer(string: body ?? "")))
    let context = Context(source: TestContext.Source())
    let response: Response
    do { response = try await responder.respond(to: request, context: context) } catch let error
      as any HTTPResponseError
    {
      response = try error.response(from: request, context: context)
    }
    let sink = Sink()
    try await response.body.write(SinkWriter(sink: sink))
    return Answer(status: response.status, fields: response.headers, text: String(buffer: sink.buffer))
  }

  private final class Sink {
    var buffer = ByteBuffer()
  }

  private struct SinkWriter: ResponseBodyWriter {
    let sink: Sink

    mutating func write(_ buffer: ByteBuffer) { sink.buffer.writeImmutableBuffer(buffer) }
    consuming func finish(_ trailingHeaders: HTTPFields?) {}
  }
}
