/// An error of the platform, as the cause of a keychain's `StorageError`.
///
/// ```swift
/// do {
///   print(try accounts.object(forKey: "ada").count)
/// } catch let error as StorageError {
///   if let failure = error.cause as? KeychainFailure { print(failure.domain, failure.code) }
/// }
/// ```
public struct KeychainFailure: Error, Equatable {
  /// The origin of the code: `errno`, `OSStatus`, or the name of a GLib error domain.
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
  /// Creates the failure of a system call from its error number.
  init(errno code: CInt) {
    let message = systemReason(code)
    self.init(domain: "errno", code: Int(code), message: message)
  }
}
