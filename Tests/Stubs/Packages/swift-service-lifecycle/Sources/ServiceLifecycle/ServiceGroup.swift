// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap

public import Logging
public import UnixSignals

/// Runs services until they end. Here no signal begins the shutdown.
public actor ServiceGroup: Service {
  private let services: [any Service]
  private let shutdown = Shutdown()

  public init(
    services: [any Service], gracefulShutdownSignals: [UnixSignal] = [],
    cancellationSignals: [UnixSignal] = [],
    logger: Logger
  ) {
    self.services = services
  }

  public func run() async throws {
    try await Shutdown.$current.withValue(shutdown) {
      try await withThrowingTaskGroup(of: Void.self) { [services] group in
        for service in services { group.addTask { try await service.run() } }
        try await group.waitForAll()
      }
    }
  }

  public func triggerGracefulShutdown() async { shutdown.begin() }
}
