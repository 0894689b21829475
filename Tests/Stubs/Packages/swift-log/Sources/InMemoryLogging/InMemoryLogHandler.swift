// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap

public import Logging
import Synchronization

public struct InMemoryLogHandler: LogHandler {
  public struct Entry: Sendable, Equatable {
    public var level: Logger.Level
    public var message: Logger.Message
    public var metadata: Logger.Metadata
  }

  private final class Store: Sendable {
    let entries = Mutex<[Entry]>([])
  }

  private let store = Store()
  public var metadata: Logger.Metadata = [:]
  public var logLevel = Logger.Level.info

  public init() {}

  public var entries: [Entry] { store.entries.withLock { $0 } }
  public func clear() { store.entries.withLock { $0 = [] } }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  public func log(event: LogEvent) {
    let entry = Entry(
      level: event.level, message: event.message, metadata: metadata.merging(event.metadata ?? [:]) { $1 })
    store.entries.withLock { $0.append(entry) }
  }
}
