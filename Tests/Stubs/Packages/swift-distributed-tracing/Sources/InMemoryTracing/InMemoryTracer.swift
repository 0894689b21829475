// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap

import Synchronization
public import Tracing

public struct InMemorySpanContext: Sendable, Hashable {
  public var traceID: String
  public var spanID: String
  public var parentSpanID: String?
}

private struct SpanContextKey: ServiceContextKey {
  typealias Value = InMemorySpanContext
}

extension ServiceContext {
  public var inMemorySpanContext: InMemorySpanContext? {
    get { self[SpanContextKey.self] }
    set { self[SpanContextKey.self] = newValue }
  }
}

public struct InMemoryTracer: Tracer {
  private final class State: Sendable {
    let finished = Mutex<[FinishedInMemorySpan]>([])
    let last = Atomic(0)
  }

  private let state = State()

  public init() {}

  public func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> InMemorySpan {
    var context = context()
    let number = state.last.add(1, ordering: .relaxed).newValue
    let parent = context.inMemorySpanContext
    context.inMemorySpanContext = InMemorySpanContext(
      traceID: parent?.traceID ?? "trace-\(number)", spanID: "span-\(number)", parentSpanID: parent?.spanID)
    let span = FinishedInMemorySpan(operationName: operationName, context: context, kind: kind)
    return InMemorySpan(context: context, span) { [state] span in state.finished.withLock { $0.append(span) }
    }
  }

  public var finishedSpans: [FinishedInMemorySpan] { state.finished.withLock { $0 } }
}

public struct FinishedInMemorySpan: Sendable {
  public var operationName: String
  public var context: ServiceContext
  public var kind: SpanKind
  public var attributes: SpanAttributes = [:]
  public var links: [SpanLink] = []
  public var errors: [InMemorySpan.RecordedError] = []
  public var status: SpanStatus?

  public var spanContext: InMemorySpanContext { context.inMemorySpanContext! }
  public var traceID: String { spanContext.traceID }
  public var spanID: String { spanContext.spanID }
  public var parentSpanID: String? { spanContext.parentSpanID }
}

public struct InMemorySpan: Span {
  public struct RecordedError: Sendable {
    public let error: any Error
  }

  private final class State: Sendable {
    let span: Mutex<FinishedInMemorySpan>
    let isRecording = Atomic(true)

    init(_ span: FinishedInMemorySpan) { self.span = Mutex(span) }
  }

  public let context: ServiceContext
  private let state: State
  private let onEnd: @Sendable (FinishedInMemorySpan) -> Void

  init(
    context: ServiceContext, _ span: FinishedInMemorySpan,
    onEnd: @escaping @Sendable (FinishedInMemorySpan) -> Void
  ) {
    self.context = context
    state = State(span)
    self.onEnd = onEnd
  }

  public var operationName: String {
    get { state.span.withLock { $0.operationName } }
    nonmutating set { state.span.withLock { $0.operationName = newValue } }
  }
  public var attributes: SpanAttributes {
    get { state.span.withLock { $0.attributes } }
    nonmutating set { state.span.withLock { $0.attributes = newValue } }
  }
  public var isRecording: Bool { state.isRecording.load(ordering: .relaxed) }
  public func setStatus(_ status: SpanStatus) { state.span.withLock { $0.status = status } }
  public func addLink(_ link: SpanLink) { state.span.withLock { $0.links.append(link) } }
  public func recordError<Instant: TracerInstant>(
    _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
  ) { state.span.withLock { $0.errors.append(RecordedError(error: error)) } }

  public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
    if state.isRecording.exchange(false, ordering: .relaxed) { onEnd(state.span.withLock { $0 }) }
  }
}
