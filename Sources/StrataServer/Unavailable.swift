#if !Server
  public import StrataCore

  // Without the trait the names are there, so that the compiler can say how to turn it on.

  /// The figures of a chain as metrics of swift-metrics. Needs the trait `Server`.
  @available(
    *, unavailable, message: "in Package.swift write .package(url: …, from: …, traits: [\"Server\"])"
  )
  public struct StorageMetrics {}

  /// The life of stores as a service of ServiceLifecycle. Needs the trait `Server`.
  @available(
    *, unavailable, message: "in Package.swift write .package(url: …, from: …, traits: [\"Server\"])"
  )
  public struct StorageService {}

  extension StorageAware {
    /// Logs the events of this chain by swift-log. Needs the trait `Server`.
    @available(
      *, unavailable, message: "in Package.swift write .package(url: …, from: …, traits: [\"Server\"])"
    )
    public func log(to logger: Any, as name: String? = nil) {}

    /// Runs each remote operation and each load inside a span of swift-distributed-tracing. Needs the trait `Server`.
    @available(
      *, unavailable, message: "in Package.swift write .package(url: …, from: …, traits: [\"Server\"])"
    )
    public func trace(to tracer: Any, as name: String? = nil) {}
  }
#endif
