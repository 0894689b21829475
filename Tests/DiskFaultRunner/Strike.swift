import Foundation

/// Damage to the files of a store while it is closed.
enum Strike {
  /// A process was killed during a change.
  case killed
  /// Power was lost: the control file is gone, and the last write is torn.
  case torn
  /// A byte of a value has changed.
  case damaged(String)
  /// The entries are in files, as the layout `.files` writes them.
  case ofFiles

  /// The key that may be lost.
  var damagedKey: String? { if case .damaged(let key) = self { key } else { nil } }

  func hit(_ folder: URL, _ value: (String) -> Data) throws {
    let segment = folder.appending(path: "0000000000000001.log")
    let rest = Data(repeating: 0x5A, count: 100)
    switch self {
    case .killed:
      try append(rest, to: segment)
      try rest.write(to: folder.appending(path: "0000000000000077.log"))
      try rest.write(to: folder.appending(path: "Values/00000000000000aa.value"))
      try rest.write(to: folder.appending(path: ".strata-00000000000000aa.tmp"))
      // The flag that is set while a process changes the log.
      try overwrite(folder.appending(path: "control"), at: 112, with: [1])
    case .torn:
      try FileManager.default.removeItem(at: folder.appending(path: "control"))
      try append(rest, to: segment)
      try rest.write(to: folder.appending(path: ".strata-00000000000000aa.tmp"))
    case .damaged(let key):
      guard let place = try Data(contentsOf: segment).range(of: value(key)) else {
        fail("\(key) is not in the log")
      }
      try overwrite(segment, at: UInt64(place.lowerBound), with: [value(key)[0] ^ 1])
    case .ofFiles: break
    }
  }

  private func append(_ bytes: Data, to file: URL) throws {
    let file = try FileHandle(forWritingTo: file)
    try file.seekToEnd()
    try file.write(contentsOf: bytes)
    try file.close()
  }

  private func overwrite(_ file: URL, at offset: UInt64, with bytes: [UInt8]) throws {
    let file = try FileHandle(forUpdating: file)
    try file.seek(toOffset: offset)
    try file.write(contentsOf: bytes)
    try file.close()
  }
}
