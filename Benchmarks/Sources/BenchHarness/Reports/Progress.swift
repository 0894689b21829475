import Foundation

/// What a person at the terminal sees while a suite runs: on standard error, so that the results can be piped.
public enum Progress {
  private static let watch = Stopwatch()

  /// Says what begins now.
  public static func say(_ text: String) {
    let seconds = Double(watch.nanoseconds) / 1e9
    FileHandle.standardError.write(Data((String(format: "%6.1f s  ", seconds) + text + "\n").utf8))
  }
}
