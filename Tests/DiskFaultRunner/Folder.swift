import Foundation

/// The files of a store, as the system lists them.
struct Folder {
  let url: URL

  init(_ url: URL) { self.url = url }

  func names(_ path: String = "") -> [String] {
    let folder = opendir(url.path + "/" + path)
    guard let folder else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let item = readdir(folder) {
      let name = withUnsafePointer(to: &item.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private func size(_ path: String) -> Int {
    var status = stat()
    return lstat(url.path + "/" + path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// The number of bytes that count towards a size limit.
  var entryBytes: Int {
    names().filter { $0.hasSuffix(".log") || $0.hasSuffix(".strata") }.reduce(0) { $0 + size($1) }
      + names("Values").reduce(0) { $0 + size("Values/\($1)") }
  }

  /// The names of temporary files. An operation must not leave any.
  var leftovers: [String] {
    names().filter { $0.hasSuffix(".tmp") } + names("Values").filter { $0.hasSuffix(".tmp") }
  }

  var damaged: [String] { names("Damaged") }

  /// The contents of the files in `Damaged`.
  var damagedContents: [Data] {
    damaged.compactMap { FileManager.default.contents(atPath: url.path + "/Damaged/" + $0) }
  }

  func remove() {
    do { try FileManager.default.removeItem(at: url) } catch CocoaError.fileNoSuchFile {} catch {
      fail("\(error)")
    }
  }

  func copy(from other: Folder) {
    remove()
    do { try FileManager.default.copyItem(at: other.url, to: url) } catch { fail("\(error)") }
  }
}
