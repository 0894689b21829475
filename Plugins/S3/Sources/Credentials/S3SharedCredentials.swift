#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Credentials from the environment or from a file, found in the same places as by AWS's own tools.
///
/// ```swift
/// let config = S3Config(bucket: "models", credentials: .file("/etc/app/credentials", profile: "models"))
/// ```
public struct S3SharedCredentials: S3CredentialsProvider {
  enum Place: Sendable {
    case environment
    case file(path: String?, profile: String?)
    case either
  }

  let place: Place
  var environment = ProcessInfo.processInfo.environment

  /// Reads the credentials.
  public func credentials() async throws -> S3Credentials {
    switch place {
    case .environment:
      guard let found = try fromEnvironment() else {
        throw StorageError.noCredentials("AWS_ACCESS_KEY_ID is not set in the environment of this process")
      }
      return found
    case .file(let path, let profile): return try fromFile(path, profile)
    case .either: return try fromEnvironment() ?? fromFile(nil, nil)
    }
  }

  private func fromEnvironment() throws(StorageError) -> S3Credentials? {
    guard let id = value("AWS_ACCESS_KEY_ID") else { return nil }
    guard let secret = value("AWS_SECRET_ACCESS_KEY") else {
      throw .noCredentials("AWS_ACCESS_KEY_ID is set in the environment, but AWS_SECRET_ACCESS_KEY is not")
    }
    return S3Credentials(
      accessKeyID: id, secretAccessKey: secret, sessionToken: value("AWS_SESSION_TOKEN"))
  }

  private func fromFile(_ path: String?, _ profile: String?) throws(StorageError) -> S3Credentials {
    let home = value("HOME") ?? "/"
    let path = path ?? value("AWS_SHARED_CREDENTIALS_FILE") ?? "\(home)/.aws/credentials"
    let profile = profile ?? value("AWS_PROFILE") ?? "default"
    let text: String
    do { text = try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self) } catch {
      // The system's error contains the path and the reason, but nothing of the file's contents.
      throw .noCredentials("the file cannot be read").with(place: path, cause: error)
    }
    guard let section = Self.sections(of: text)[profile] else {
      throw .noCredentials("the file has no profile \(String(reflecting: profile))").with(place: path)
    }
    guard let id = section["aws_access_key_id"], let secret = section["aws_secret_access_key"] else {
      throw .noCredentials(
        "the profile \(String(reflecting: profile)) lacks aws_access_key_id or aws_secret_access_key"
      ).with(place: path)
    }
    return S3Credentials(
      accessKeyID: id, secretAccessKey: secret, sessionToken: section["aws_session_token"])
  }

  private func value(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the variables of each profile in the text of a credentials file.
  static func sections(of text: String) -> [String: [String: String]] {
    var sections: [String: [String: String]] = [:]
    var section: String?
    for line in text.split(whereSeparator: \.isNewline) {
      let line = trimmed(line)
      if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
      if line.hasPrefix("[") {
        section = line.firstIndex(of: "]").map { trimmed(line[line.index(after: line.startIndex)..<$0]) }
        if let section { sections[section, default: [:]] = [:] }
      } else if let section, let equals = line.firstIndex(of: "=") {
        let name = trimmed(line[..<equals]).lowercased()
        sections[section]?[name] = trimmed(line[line.index(after: equals)...])
      }
    }
    return sections
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let kept = text.drop(while: \.isWhitespace)
    guard let last = kept.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(kept[...last])
  }
}

extension S3CredentialsProvider where Self == S3SharedCredentials {
  /// Credentials from the environment, or else from the default profile of `~/.aws/credentials`.
  public static var automatic: Self { S3SharedCredentials(place: .either) }

  /// Credentials from the variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`.
  public static var environment: Self { S3SharedCredentials(place: .environment) }

  /// Credentials from a profile in a file with the format of `~/.aws/credentials`.
  ///
  /// - Parameters:
  ///   - path: The file; by default `AWS_SHARED_CREDENTIALS_FILE`, or `~/.aws/credentials`.
  ///   - profile: The section of the file; by default `AWS_PROFILE`, or `default`.
  public static func file(_ path: String? = nil, profile: String? = nil) -> Self {
    S3SharedCredentials(place: .file(path: path, profile: profile))
  }
}

extension S3SharedCredentials: CustomReflectable {
  /// A mirror without children: the environment contains secrets.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension StorageError {
  static func noCredentials(_ reason: String) -> StorageError {
    .invalidConfiguration.with("there are no credentials for the object store: \(reason)")
  }
}
