#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The address of a bucket: the URL for requests, and the host and path for signatures.
struct S3Address: Sendable, Hashable {
  /// The value of the field `Host`: with the port, unless it is the scheme's default.
  let host: String
  let scheme: String
  /// The percent-encoded path of the bucket, without a slash at its end.
  let bucketPath: String
  private let bucket: String

  init(_ config: S3Config) throws(StorageError) {
    let bucket = config.bucket
    let isName = bucket.utf8.allSatisfy {
      Encoding.isUnreserved($0) && $0 != UInt8(ascii: "~") && $0 != UInt8(ascii: "_")
    }
    guard 3...63 ~= bucket.utf8.count, isName, !bucket.hasPrefix("."), !bucket.contains("..") else {
      throw .invalidConfiguration.with(
        "\(String(reflecting: bucket)) is not a bucket name: use 3 to 63 letters, digits, dots and hyphens"
      )
    }
    guard !config.region.isEmpty, config.region.utf8.allSatisfy(Encoding.isUnreserved) else {
      throw .invalidConfiguration.with(
        "\(String(reflecting: config.region)) is not the name of a region, such as eu-central-1")
    }
    self.bucket = bucket
    let server: String
    if let endpoint = config.endpoint {
      guard let scheme = endpoint.scheme?.lowercased(), ["http", "https"].contains(scheme),
        let host = endpoint.host(), !host.isEmpty, ["", "/"].contains(endpoint.path()),
        endpoint.query() == nil,
        endpoint.user() == nil, endpoint.password() == nil
      else {
        throw .invalidConfiguration.with(
          "the endpoint is invalid: use a URL such as https://s3.example.com:9000, without user, path and query"
        )
      }
      self.scheme = scheme
      let port = endpoint.port.flatMap { $0 == (scheme == "http" ? 80 : 443) ? nil : ":\($0)" } ?? ""
      // In a URL, an IPv6 address is enclosed in brackets.
      server = (host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host) + port
    } else {
      scheme = "https"
      server =
        "s3.\(config.region).amazonaws.com" + (config.region.hasPrefix("cn-") ? ".cn" : "")
    }
    let isInHost =
      switch config.addressing {
      case .automatic: config.endpoint == nil && !bucket.contains(".")
      case .path: false
      case .virtualHost: true
      }
    host = isInHost ? "\(bucket).\(server)" : server
    bucketPath = isInHost ? "" : "/\(bucket)"
  }

  /// Returns the percent-encoded path of an object, or of the bucket.
  func path(of name: String?) -> String {
    guard let name else { return bucketPath.isEmpty ? "/" : bucketPath }
    return "\(bucketPath)/\(Encoding.percent(name, keepingSlashes: true))"
  }

  /// Returns the URL of a percent-encoded path, for requests.
  func url(_ path: String, query: [(name: String, value: String)]) -> URL? {
    var text = "\(scheme)://\(host)\(path)"
    for (index, item) in query.enumerated() {
      text += index == 0 ? "?" : "&"
      text += "\(Encoding.percent(item.name))=\(Encoding.percent(item.value))"
    }
    return URL(string: text)
  }

  /// Returns the URL of an object, or of the bucket, as shown in errors.
  func place(of name: String?) -> String { "\(scheme)://\(host)\(path(of: name))" }
}
