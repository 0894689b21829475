#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The progress messages of a running suite, on standard error, so that the results can be piped.
public enum Progress {
  private static let watch = Stopwatch()

  /// Prints a message with the elapsed time.
  public static func say(_ text: String) {
    let line = formatted(Double(watch.nanoseconds) / 1e9, "%6.1f s  ") + text + "\n"
    _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
