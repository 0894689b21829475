// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap

public struct Logger: Sendable {
  public enum Level: String, Codable, CaseIterable, Sendable, Comparable {
    case trace, debug, info, notice, warning, error, critical

    public static func < (left: Level, right: Level) -> Bool {
      allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
    }
  }

  public struct Message: Sendable, Equatable, CustomStringConvertible, ExpressibleByStringInterpolation {
    public let description: String
    public init(stringLiteral value: String) { description = value }
  }

  public typealias Metadata = [String: MetadataValue]
  public typealias MetadataValue = Value

  public enum Value: Sendable, Equatable, CustomStringConvertible, ExpressibleByStringInterpolation {
    case string(String)

    public init(stringLiteral value: String) { self = .string(value) }
    public var description: String {
      switch self {
      case .string(let text): text
      }
    }
  }

  public let label: String
  public var handler: any LogHandler

  public init(label: String, factory: (String) -> any LogHandler) {
    self.label = label
    handler = factory(label)
  }

  /// The real package prints; this one is silent.
  public init(label: String) { self.init(label: label) { _ in SilentLogHandler() } }

  public var logLevel: Level {
    get { handler.logLevel }
    set { handler.logLevel = newValue }
  }

  public subscript(metadataKey key: String) -> MetadataValue? {
    get { handler[metadataKey: key] }
    set { handler[metadataKey: key] = newValue }
  }

  public func log(
    level: Level, _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil,
    source: @autoclosure () -> String? = nil, file: String = #fileID, function: String = #function,
    line: UInt = #line
  ) {
    if logLevel <= level {
      handler.log(event: LogEvent(level: level, message: message(), metadata: metadata()))
    }
  }

  public func info(_ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil) {
    log(level: .info, message(), metadata: metadata())
  }
}

public struct LogEvent: Sendable {
  public var level: Logger.Level
  public var message: Logger.Message
  public var metadata: Logger.Metadata?
}

public protocol LogHandler: Sendable {
  func log(event: LogEvent)
  subscript(metadataKey key: String) -> Logger.Metadata.Value? { get set }
  var metadata: Logger.Metadata { get set }
  var logLevel: Logger.Level { get set }
}

struct SilentLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }
  func log(event: LogEvent) {}
}
