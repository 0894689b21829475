/// The system's Python, whose modules are Debian packages.
package enum Python {
  /// The path of the interpreter. Another one that comes first in `PATH` may not have the modules.
  package static let path = "/usr/bin/python3"

  /// Returns whether a module is installed. Without the interpreter none is.
  package static func has(_ module: String) -> Bool {
    do { return try Program.run([path, "-c", "import \(module)"]).end == .exit(0) } catch { return false }
  }
}
