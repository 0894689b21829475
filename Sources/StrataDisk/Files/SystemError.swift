#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A call of the operating system that failed.
struct SystemError: Error, CustomStringConvertible {
  let call: String
  let code: CInt
  let path: String

  /// The failure of the last call on this thread. Make it before anything else can set `errno`.
  init(_ call: String, _ path: String) {
    self.call = call
    self.path = path
    code = errno
  }

  /// A failure that is known without a call.
  init(_ call: String, _ path: String, _ code: CInt) {
    self.call = call
    self.path = path
    self.code = code
  }

  /// The system's own words.
  var reason: String { strerror(code).map { String(cString: $0) } ?? "unknown error" }

  var description: String { "\(call): \(reason) (errno \(code))" }

  /// Calls again for as long as a signal interrupts.
  static func retrying(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }
}
