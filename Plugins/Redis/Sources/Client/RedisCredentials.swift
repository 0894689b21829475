/// The credentials of a connection.
///
/// ```swift
/// let credentials = RedisCredentials(user: "cache", password: passphrase, life: .seconds(3600))
/// ```
public struct RedisCredentials: Sendable {
  /// The user name in the server's access list; `nil` for the default user.
  public var user: String?
  /// The password, or a token.
  public var password: String?
  /// The time for which the credentials are valid. Before it ends, a connection requests new ones and authenticates
  /// again, without interruption.
  public var life: Duration?

  /// Creates credentials.
  public init(user: String? = nil, password: String? = nil, life: Duration? = nil) {
    self.user = user
    self.password = password
    self.life = life
  }
}

/// Provides the credentials of each new connection: for passwords and tokens that change.
///
/// ```swift
/// struct Tokens: RedisCredentialsProvider {
///   func credentials() async throws -> RedisCredentials {
///     let token = try await identity.token(for: "redis")
///     return RedisCredentials(user: "cache", password: token.text, life: .seconds(token.seconds))
///   }
/// }
/// ```
///
/// It may be called by several connections concurrently, and has `RedisConfig.connectTimeout` to answer. If it throws,
/// the connection fails, and calls fail as if there were no server. The error is not quoted, since it may contain
/// secrets.
public protocol RedisCredentialsProvider: Sendable {
  /// Returns the credentials for a new connection, or for another authentication.
  func credentials() async throws -> RedisCredentials
}

extension RedisCredentialsProvider where Self == RedisCredentialsClosure {
  /// Returns a provider that calls a function: `config.credentials = .asking { try await token() }`.
  public static func asking(_ ask: @escaping @Sendable () async throws -> RedisCredentials) -> Self {
    RedisCredentialsClosure(ask: ask)
  }
}

/// A provider that calls a function.
///
/// ```swift
/// var config = RedisConfig()
/// config.credentials = .asking {
///   RedisCredentials(user: "cache", password: try await identity.token(for: "redis").text)
/// }
/// ```
public struct RedisCredentialsClosure: RedisCredentialsProvider {
  fileprivate let ask: @Sendable () async throws -> RedisCredentials

  /// Calls the function.
  public func credentials() async throws -> RedisCredentials { try await ask() }
}

extension RedisCredentials {
  /// The credentials as arguments of `HELLO`. The user name is sent even without a password: otherwise the server would
  /// use the default user.
  var introduction: [RedisCommand.Word] {
    if user == nil && password == nil { return [] }
    return ["AUTH", .text(user ?? "default"), .text(password ?? "")]
  }

  /// The command that authenticates a connection, or `nil` if there are no credentials.
  var command: RedisCommand? {
    if user == nil && password == nil { return nil }
    // Servers before Redis 6 have no user names.
    let name = user.map { [RedisCommand.Word.text($0)] } ?? []
    return RedisCommand("AUTH", name + [.text(password ?? "")], keyIndex: nil)
  }
}
