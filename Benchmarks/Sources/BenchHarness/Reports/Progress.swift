import Foundation

/// The progress messages of a running suite, on standard error, so that the results can be piped.
public enum Progress {
  private static let watch = Stopwatch()

  /// Prints a message with the elapsed time.
  public static func say(_ text: String) {
    let seconds = Double(watch.nanoseconds) / 1e9
    FileHandle.standardError.write(Data((String(format: "%6.1f s  ", seconds) + text + "\n").utf8))
  }
}
