/// What the platform said: the cause of the `StorageError`s of a keychain.
public struct KeychainFailure: Error, Equatable {
  /// Whose code it is: `errno`, `OSStatus`, or the name of a GLib error domain.
  public let domain: String
  /// The platform's code.
  public let code: Int
  /// The platform's message.
  public let message: String
}

extension KeychainFailure: CustomStringConvertible {
  /// The domain, the code and the message, in one line.
  public var description: String { "\(domain) \(code): \(message)" }
}

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension KeychainFailure {
  /// The failure of a call of the system, by its number.
  init(errno code: CInt) {
    let message = strerror(code).map { String(cString: $0) } ?? "unknown error"
    self.init(domain: "errno", code: Int(code), message: message)
  }
}
