/// Whether the connections of a node are encrypted.
enum Encryption: Sendable {
  case none
  case tls(TLSContext)
  /// They should be, and cannot: a file is missing, say. Nothing is ever sent without it instead.
  case impossible(String)

  /// What the configuration asks for. Reads its files.
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
