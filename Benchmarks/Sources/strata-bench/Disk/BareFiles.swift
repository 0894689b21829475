import Foundation

/// A plain file for each value, read into newly allocated memory: the minimum for large values.
///
/// A replaced file is deleted and created again, which file systems do faster than truncating it.
struct BareFiles: ByteStore {
  let folder: URL

  func value(forKey key: String, thread: Int) throws -> Data? {
    let descriptor = open(path(key), O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, let memory = malloc(max(Int(status.st_size), 1)) else {
      throw Failure("cannot read a plain file: \(String(cString: strerror(errno)))")
    }
    let size = Int(status.st_size)
    let count = Foundation.read(descriptor, memory, size)
    let value = Data(bytesNoCopy: memory, count: size, deallocator: .free)
    if count != size { throw Failure("a plain read gave \(count) bytes of \(size)") }
    return value
  }

  func store(_ value: Data, forKey key: String, thread: Int) throws {
    let path = path(key)
    unlink(path)
    // Another thread may have created the file again by now.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw Failure("cannot create a plain file: \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    let count = value.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
    if count != value.count { throw Failure("a plain write took \(count) bytes of \(value.count)") }
  }

  private func path(_ key: String) -> String { "\(folder.path)/\(key)" }
}
