// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap

@_exported public import ServiceContextModule
import Synchronization

public protocol Tracer: Sendable {
  associatedtype Span: Tracing.Span

  func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> Span
}

extension Tracer {
  public func startSpan(
    _ operationName: String, context: @autoclosure () -> ServiceContext = .current ?? .topLevel,
    ofKind kind: SpanKind = .internal,
    at instant: @autoclosure () -> some TracerInstant = DefaultTracerClock.now,
    function: String = #function, file fileID: String = #fileID, line: UInt = #line
  ) -> Span {
    startSpan(
      operationName, context: context(), ofKind: kind, at: instant(), function: function, file: fileID,
      line: line)
  }

  public func withSpan<T>(
    _ operationName: String, context: @autoclosure () -> ServiceContext = .current ?? .topLevel,
    ofKind kind: SpanKind = .internal, isolation: isolated (any Actor)? = #isolation,
    _ operation: (Span) async throws -> T
  ) async rethrows -> T {
    let span = startSpan(operationName, context: context(), ofKind: kind)
    defer { span.end() }
    return try await ServiceContext.$current.withValue(span.context) { try await operation(span) }
  }
}

public protocol TracerInstant: Comparable, Hashable, Sendable {
  var nanosecondsSinceEpoch: UInt64 { get }
}

public struct DefaultTracerClock {
  public struct Timestamp: TracerInstant {
    public let nanosecondsSinceEpoch: UInt64

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
      left.nanosecondsSinceEpoch < right.nanosecondsSinceEpoch
    }
  }

  private static let last = Atomic<UInt64>(0)

  /// Not a time, but a number that grows.
  public static var now: Timestamp {
    Timestamp(nanosecondsSinceEpoch: last.add(1, ordering: .relaxed).newValue)
  }
}

public enum SpanKind: Hashable, Sendable {
  case server, client, producer, consumer, `internal`
}

public protocol Span: Sendable {
  var context: ServiceContext { get }
  var operationName: String { get nonmutating set }
  func setStatus(_ status: SpanStatus)
  func recordError<Instant: TracerInstant>(
    _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant)
  var attributes: SpanAttributes { get nonmutating set }
  var isRecording: Bool { get }
  func addLink(_ link: SpanLink)
  func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant)
}

extension Span {
  public func recordError(_ error: any Error) {
    recordError(error, attributes: [:], at: DefaultTracerClock.now)
  }
  public func end() { end(at: DefaultTracerClock.now) }
  public func updateAttributes(_ update: (inout SpanAttributes) -> Void) {
    var attributes = attributes
    update(&attributes)
    self.attributes = attributes
  }
}

public enum SpanAttribute: Equatable, Sendable, ExpressibleByStringInterpolation {
  case int64(Int64)
  case string(String)

  public init(stringLiteral value: String) { self = .string(value) }
}

public protocol SpanAttributeConvertible {
  func toSpanAttribute() -> SpanAttribute
}

extension SpanAttribute: SpanAttributeConvertible {
  public func toSpanAttribute() -> SpanAttribute { self }
}
extension String: SpanAttributeConvertible {
  public func toSpanAttribute() -> SpanAttribute { .string(self) }
}
extension Int: SpanAttributeConvertible {
  public func toSpanAttribute() -> SpanAttribute { .int64(Int64(self)) }
}

public struct SpanAttributes: Equatable, Sendable, ExpressibleByDictionaryLiteral {
  private var attributes: [String: SpanAttribute]

  public init(_ attributes: [String: SpanAttribute]) { self.attributes = attributes }
  public init(dictionaryLiteral elements: (String, SpanAttribute)...) {
    attributes = Dictionary(uniqueKeysWithValues: elements)
  }

  public subscript(_ name: String) -> (any SpanAttributeConvertible)? {
    get { attributes[name] }
    set { attributes[name] = newValue?.toSpanAttribute() }
  }
  public func get(_ name: String) -> SpanAttribute? { attributes[name] }
  public var count: Int { attributes.count }
  public func forEach(_ body: (String, SpanAttribute) -> Void) {
    for (key, value) in attributes { body(key, value) }
  }
}

public struct SpanStatus: Equatable, Sendable {
  public enum Code: Sendable { case ok, error }

  public let code: Code
  public let message: String?

  public init(code: Code, message: String? = nil) {
    self.code = code
    self.message = message
  }
}

public struct SpanLink: Sendable {
  public let context: ServiceContext
  public let attributes: SpanAttributes

  public init(context: ServiceContext, attributes: SpanAttributes) {
    self.context = context
    self.attributes = attributes
  }
}
