// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct HTTPField: Sendable, Hashable {
  public struct Name: Sendable, Hashable {
    public let rawName: String
    public let canonicalName: String

    public init?(_ name: String) {
      if name.isEmpty { return nil }
      self.init(known: name)
    }

    init(known name: String) {
      rawName = name
      canonicalName = name.lowercased()
    }

    public static func == (left: Name, right: Name) -> Bool { left.canonicalName == right.canonicalName }
    public func hash(into hasher: inout Hasher) { hasher.combine(canonicalName) }

    public static let acceptLanguage = Name(known: "Accept-Language")
    public static let age = Name(known: "Age")
    public static let authorization = Name(known: "Authorization")
    public static let cacheControl = Name(known: "Cache-Control")
    public static let contentEncoding = Name(known: "Content-Encoding")
    public static let contentLength = Name(known: "Content-Length")
    public static let contentType = Name(known: "Content-Type")
    public static let cookie = Name(known: "Cookie")
    public static let eTag = Name(known: "ETag")
    public static let ifMatch = Name(known: "If-Match")
    public static let ifModifiedSince = Name(known: "If-Modified-Since")
    public static let ifNoneMatch = Name(known: "If-None-Match")
    public static let ifRange = Name(known: "If-Range")
    public static let ifUnmodifiedSince = Name(known: "If-Unmodified-Since")
    public static let lastModified = Name(known: "Last-Modified")
    public static let range = Name(known: "Range")
    public static let setCookie = Name(known: "Set-Cookie")
    public static let transferEncoding = Name(known: "Transfer-Encoding")
    public static let userAgent = Name(known: "User-Agent")
    public static let vary = Name(known: "Vary")
  }

  public var name: Name
  public var value: String

  public init(name: Name, value: String) {
    self.name = name
    self.value = value
  }
}

public struct HTTPFields: Sendable, Hashable, ExpressibleByDictionaryLiteral, Collection {
  private var fields: [HTTPField] = []

  public init() {}
  public init(dictionaryLiteral elements: (HTTPField.Name, String)...) {
    fields = elements.map { HTTPField(name: $0.0, value: $0.1) }
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { fields.count }
  public func index(after index: Int) -> Int { index + 1 }
  public subscript(index: Int) -> HTTPField { fields[index] }

  /// Several fields of one name are joined.
  public subscript(name: HTTPField.Name) -> String? {
    get {
      let values = self[values: name]
      return values.isEmpty ? nil : values.joined(separator: name == .cookie ? "; " : ", ")
    }
    set { self[values: name] = newValue.map { [$0] } ?? [] }
  }

  public subscript(values name: HTTPField.Name) -> [String] {
    get { fields.filter { $0.name == name }.map(\.value) }
    set {
      fields.removeAll { $0.name == name }
      fields += newValue.map { HTTPField(name: name, value: $0) }
    }
  }

  public func contains(_ name: HTTPField.Name) -> Bool { fields.contains { $0.name == name } }
}
