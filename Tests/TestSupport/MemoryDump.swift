package import Foundation

/// The core dump of a process that was killed by a signal.
package enum MemoryDump {
  /// The kernel's pattern for the paths of core dumps.
  package static let pattern: String = {
    do {
      return try String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
    } catch { return "unknown: \(error)" }
  }()

  /// Whether a core dump is written to the working directory, and not piped to a program, written elsewhere, or
  /// disabled.
  package static let isLeft: Bool = {
    #if os(Linux)
      var limit = rlimit()
      getrlimit(CInt(RLIMIT_CORE.rawValue), &limit)
      let isAllowed = geteuid() == 0 || limit.rlim_max == .max
      return isAllowed && !pattern.hasPrefix("|") && !pattern.contains("/")
    #else
      return false
    #endif
  }()

  /// Returns the contents of all files in a folder by name, such as the core dump of a program that crashed there.
  package static func files(in folder: URL) throws -> [String: Data] {
    var files: [String: Data] = [:]
    let keys: [URLResourceKey] = [.isRegularFileKey]
    guard let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: keys) else {
      throw POSIXError(.ENOENT)
    }
    for case let file as URL in all where try file.resourceValues(forKeys: Set(keys)).isRegularFile == true {
      files[file.lastPathComponent] = try Data(contentsOf: file, options: .mappedIfSafe)
    }
    return files
  }
}

/// Bytes to search for in other bytes.
package struct Needle: Sendable {
  private let forms: [Data]

  /// Searches for either half of the bytes, or for all of them as text.
  package init(_ bytes: Data) {
    let hex = bytes.map { String(format: "%02x", $0) }.joined()
    let half = bytes.count / 2
    forms = [
      bytes.prefix(half), bytes.suffix(half), Data(hex.utf8), Data(bytes.base64EncodedString().utf8),
    ]
  }

  package func isIn(_ bytes: Data) -> Bool {
    forms.contains { form in
      bytes.withUnsafeBytes { bytes in form.withUnsafeBytes { Self.finds($0, in: bytes) } }
    }
  }

  private static func finds(_ needle: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes
    while rest.count >= needle.count, let start = rest.baseAddress,
      let place = memchr(start, Int32(needle[0]), rest.count - needle.count + 1)
    {
      if needle.elementsEqual(UnsafeRawBufferPointer(start: place, count: needle.count)) { return true }
      rest = UnsafeRawBufferPointer(rebasing: rest[(UnsafeRawPointer(place) - start + 1)...])
    }
    return false
  }
}
