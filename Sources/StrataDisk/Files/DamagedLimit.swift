#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The limits on the files kept in `Damaged`.
enum DamagedLimit {
  static let bytes = 64 << 20
  static let files = 1000
}

extension EntryFolder {
  /// Deletes the oldest files from `Damaged` until the rest is within the limit. For use when a store is opened, before
  /// the opening adds files: those are kept, however large they are.
  func limitDamaged(_ config: DiskConfig) {
    do throws(SystemError) {
      try limitDamaged()
    } catch let error where [EROFS, EACCES, EPERM].contains(error.code) {
      // A process that may not write adds nothing to `Damaged` either.
      return
    } catch {
      config.report(
        error.explained("delete the oldest files in Damaged", next: "the next opening tries again"))
    }
  }

  private func limitDamaged() throws(SystemError) {
    if isReadOnly { return }
    let shelf = EntryFolder(path: path(of: EntryName.damaged))
    // The path may lead to something else than a folder.
    guard try FileStatus(of: shelf.path)?.isFolder == true else { return }
    let found = try shelf.filesNewestFirst(countingMoves: true) { _ in true }.filter { !$0.status.isFolder }
    var bytes = found.reduce(0) { $0 + $1.status.size }
    var count = found.count
    for (name, status) in found.reversed() {
      if bytes <= DamagedLimit.bytes, count <= DamagedLimit.files { return }
      try shelf.remove(name)
      bytes -= status.size
      count -= 1
    }
  }
}
