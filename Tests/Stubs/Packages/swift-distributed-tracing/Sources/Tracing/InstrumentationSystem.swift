// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap

import Synchronization

public enum InstrumentationSystem {
  private static let bootstrapped = Mutex<(any Tracer)?>(nil)

  public static func bootstrap(_ tracer: any Tracer) { bootstrapped.withLock { $0 = tracer } }
  public static var tracer: any Tracer { bootstrapped.withLock { $0 } ?? NoOpTracer() }
}

public struct NoOpTracer: Tracer {
  public init() {}

  public func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> NoOpSpan { NoOpSpan(context: context()) }

  public struct NoOpSpan: Tracing.Span {
    public let context: ServiceContext

    public var operationName: String {
      get { "" }
      nonmutating set {}
    }
    public var attributes: SpanAttributes {
      get { [:] }
      nonmutating set {}
    }
    public var isRecording: Bool { false }
    public func setStatus(_ status: SpanStatus) {}
    public func recordError<Instant: TracerInstant>(
      _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {}
    public func addLink(_ link: SpanLink) {}
    public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {}
  }
}
