/// The layout of a disk store's entries in files.
///
/// ```swift
/// let photos = try DiskStorage<String>(config: DiskConfig(name: "photos", layout: .files))
/// ```
public enum DiskLayout: Sendable, Hashable {
  /// Small values are packed into a log; a value of 64 kB or more is a file of its own. The fastest layout for all
  /// sizes.
  case automatic
  /// Each entry is a file, and nothing else is in the folder: other programs can watch, copy and delete single entries.
  /// Several times slower than the other layouts for small values.
  case files
  /// All values are packed into a log, except those larger than 64 MB: few files, whatever the values' sizes.
  case packed

  /// The size in bytes from which a value is a file of its own.
  var fileThreshold: Int {
    switch self {
    case .automatic: 1 << 16
    case .files: 0
    case .packed: 1 << 26
    }
  }
}
