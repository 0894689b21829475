/// Whether the connections of a node are encrypted.
enum Encryption: Sendable {
  case none
  case tls(TLSContext)
  /// TLS is configured but cannot be used, for example because a file is missing. Nothing is ever sent unencrypted
  /// instead.
  case impossible(String)

  /// Reads the files of the configuration.
  init(_ tls: RedisTLS?) {
    guard let tls else {
      self = .none
      return
    }
    do throws(TLSContext.Failure) { self = .tls(try TLSContext(tls)) } catch {
      self = .impossible(error.reason)
    }
  }
}
