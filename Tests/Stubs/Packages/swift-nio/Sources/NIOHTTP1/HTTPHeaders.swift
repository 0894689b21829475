// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct HTTPHeaders: Sendable {
  private var fields: [String: String] = [:]

  public init() {}

  public func first(name: String) -> String? { fields[name.lowercased()] }
  public mutating func replaceOrAdd(name: String, value: String) { fields[name.lowercased()] = value }
}

public enum HTTPMethod: Sendable, Hashable { case GET, POST }

public enum HTTPResponseStatus: Sendable, Hashable { case ok, noContent, badRequest, unauthorized, notFound }
