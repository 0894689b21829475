#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataCore

/// Returns a function of the system by its name, for functions that the C headers declare only with the GNU extensions
/// enabled; `nil` if the system has none.
///
/// - Parameter Function: The function's type, which is `@convention(c)`.
func systemFunction<Function>(_ name: String) -> Function? {
  #if canImport(Darwin)
    nil
  #else
    dlsym(nil, name).map { unsafeBitCast($0, to: Function.self) }
  #endif
}

/// A failed call of the operating system.
struct SystemError: Error, CustomStringConvertible {
  let call: String
  let code: CInt
  let path: String

  /// Captures the failure of the last call on this thread. Create it before anything else can set `errno`.
  init(_ call: String, _ path: String) {
    self.call = call
    self.path = path
    code = errno
  }

  /// Creates a failure with a known code.
  init(_ call: String, _ path: String, _ code: CInt) {
    self.call = call
    self.path = path
    self.code = code
  }

  /// The system's description of the code, or what to do about it.
  var reason: String {
    // Only for something that is no folder.
    let hint = call == "mkdir" && code == EEXIST ? ": a file is in its place; move or delete that file" : ""
    return systemReason(code) + hint
  }

  var description: String { "\(call): \(reason) (errno \(code))" }

  /// Repeats a call for as long as a signal interrupts it.
  static func retrying(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }
}
