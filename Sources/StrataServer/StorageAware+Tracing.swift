#if Server
  public import StrataCore
  public import Tracing

  extension StorageAware {
    /// Runs each remote operation and each load of this chain inside a span, until the token is cancelled.
    ///
    /// The span of an operation of a server has the kind `client` and, where OpenTelemetry has a name for the database,
    /// its attributes `db.system.name`, `db.operation.name` and, of several keys, `db.operation.batch.size`. That of a
    /// load has the kind `internal`; spans that the loader begins are inside it. All have `strata.store` and
    /// `strata.tier`, and failed ones `error.type`. Spans never contain keys, values or texts of errors.
    ///
    /// The parent of a span is the span of the caller's task. A load that callers share is inside the span of the first
    /// one. A load in the background has no parent, since its caller does not wait for it, but a link to the span of
    /// the read that started it.
    ///
    /// Operations that never suspend, in memory or on a disk, have no spans, and cost nothing more.
    ///
    /// ```swift
    /// users.trace(to: InstrumentationSystem.tracer, as: "users")
    /// ```
    ///
    /// - Parameters:
    ///   - tracer: the tracer; by default that of the process.
    ///   - name: the name of the store; by default that of its type.
    @discardableResult
    public func trace(
      to tracer: any Tracer = InstrumentationSystem.tracer, as name: String? = nil
    ) -> ObservationToken { trace(with: StorageSpans(tracer: tracer, store: name ?? storageName)) }
  }

  private struct StorageSpans: StorageTracing {
    let tracer: any Tracer
    let store: String

    func trace<R: Sendable>(_ operation: StorageOperation, _ body: () async throws -> R) async throws -> R {
      let caller = ServiceContext.current ?? .topLevel
      let span: any Span = tracer.startSpan(
        "\(operation.name) \(store)", context: operation.isInBackground ? .topLevel : caller,
        ofKind: operation.isLoad ? .internal : .client)
      defer { span.end() }
      if operation.isInBackground, !caller.isEmpty {
        span.addLink(SpanLink(context: caller, attributes: [:]))
      }
      span.updateAttributes { attributes in
        attributes["strata.store"] = store
        attributes["strata.tier"] = operation.tier
        if let system = operation.databaseSystem {
          attributes["db.system.name"] = system
          attributes["db.operation.name"] = operation.name
        }
        if operation.count > 1 { attributes["db.operation.batch.size"] = operation.count }
      }
      do {
        return try await ServiceContext.$current.binding(span.context, body)
      } catch {
        span.attributes["error.type"] = errorType(error)
        span.setStatus(SpanStatus(code: .error, message: errorType(error)))
        throw error
      }
    }
  }
#endif
