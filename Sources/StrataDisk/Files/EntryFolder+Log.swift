#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataCore

extension EntryFolder {
  /// The folder of values that are files of their own.
  var values: EntryFolder { EntryFolder(path: path(of: EntryName.values), isReadOnly: isReadOnly) }

  /// Throws if the folder holds a log, whose entries the layout `.files` would not see.
  func refuseLog() throws {
    guard try FileStatus(of: path(of: EntryName.control)) != nil else { return }
    throw StorageError.invalidConfiguration.with(
      "the folder has the layout .automatic or .packed, and cannot be opened with .files", place: path)
  }

  /// Returns the numbers of all segments, in ascending order.
  func segmentNumbers() throws(SystemError) -> [Int] {
    try names { EntryName.segmentNumber($0) != nil }.compactMap(EntryName.segmentNumber).sorted()
  }

  /// Returns the size of some segments in bytes.
  func bytes(of segments: [Int]) throws(SystemError) -> Int {
    var sum = 0
    for number in segments { sum += try FileStatus(of: path(of: EntryName.segment(number)))?.size ?? 0 }
    return sum
  }

  /// Moves a file with the name of a segment, but not its contents, to `Damaged`, and returns the error to report.
  func setAsideSegment(_ number: Int, _ flaw: EntryFlaw) -> StorageError {
    setAside(EntryName.segment(number), "a segment of the log is damaged: \(flaw.reason)")
  }

  /// Moves a file to `Damaged`, and returns the error to report, which begins with a message. It has a cause if the
  /// file could not be moved.
  func setAside(_ name: String, _ message: String) -> StorageError {
    let place = path(of: name)
    do throws(SystemError) {
      let kept = try setAside(name)
      return .malformedFileAttributes.with("\(message); it was moved to \(kept)", place: place)
    } catch {
      return unmoved(message, place, error)
    }
  }

  /// Returns the error for damage that is still in its place, because it could not be moved or copied to `Damaged`, or
  /// because nothing in the folder may be changed. The error has a cause.
  func unmoved(_ message: String, _ place: String, _ cause: SystemError) -> StorageError {
    let error = StorageError.malformedFileAttributes
    return isReadOnly
      ? error.with("\(message); it was left in place", place: place, cause: StorageError.readOnly)
      : error.with(
        "\(message); it could not be moved to Damaged: \(cause.reason)", place: place, cause: cause)
  }

  /// Creates a hard link to a file.
  static func link(_ path: String, _ name: String) throws(SystemError) {
    #if canImport(Darwin)
      let result = Darwin.link(path, name)
    #else
      let result = Glibc.link(path, name)
    #endif
    if result == -1 { throw SystemError("link", name) }
  }

  /// Returns when the names of the folder, and of the folders above it, are on stable storage.
  func syncParents() throws(SystemError) {
    var path = path
    while let end = path.lastIndex(of: "/"), end != path.startIndex {
      path = String(path[..<end])
      do throws(SystemError) {
        try EntryFolder(path: path).sync()
      } catch let error where error.code == EACCES {
        // This process cannot have created a folder that it may not even read.
        return
      }
    }
  }

  /// Returns when the names in the folder are on stable storage.
  func sync() throws(SystemError) {
    let folder = try File(path, O_RDONLY)
    try folder.sync()
  }
}

extension EntryFlaw {
  var reason: String {
    switch self {
    case .damaged(let reason): reason
    case .newer(let version): "it has version \(version) of the format"
    }
  }
}
