#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Synchronization

/// The control file as other processes change it, for a process that may not write in its folder.
///
/// If the file cannot be trusted, the reader builds a page of its own from the segments, which does not show later
/// writes. Once a process that may write has rebuilt the file, the reader has to open the log again.
///
/// Unchecked `Sendable`: the memory is accessed only through atomics, and stays mapped until `deinit`.
final class WatchedControl: @unchecked Sendable {
  private let path: String
  private let memory: UnsafeMutableRawPointer?
  private let hasOwnPage = Atomic(false)
  /// The generation when the log was opened. No generation is ever used again.
  private let generation: UInt64

  /// - Parameter memory: The mapped file; `nil` if there is no file of the right size.
  init(_ path: String, _ memory: UnsafeMutableRawPointer?) {
    self.path = path
    self.memory = memory
    generation =
      memory.map { Self.words($0)[ControlFile.Word.generation.rawValue].load(ordering: .acquiring) } ?? 0
  }

  deinit { if let memory { munmap(memory, ControlFile.size) } }

  /// Records that the reader uses a page of its own from now on.
  func detach() { hasOwnPage.store(true, ordering: .releasing) }

  /// Whether the reader uses a page of its own.
  var isDetached: Bool { hasOwnPage.load(ordering: .relaxed) }

  /// Returns whether a process has rebuilt the file since the reader built its own page.
  func hasBeenReplaced() throws(SystemError) -> Bool {
    guard isDetached else { return false }
    guard let memory else { return try FileStatus(of: path)?.size == ControlFile.size }
    let words = Self.words(memory)
    let now = words[ControlFile.Word.generation.rawValue].load(ordering: .acquiring)
    return now != generation
      && words[ControlFile.Word.checksum.rawValue].load(ordering: .acquiring) == ControlFile.checksum(words)
  }

  private static func words(_ memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Atomic<UInt64>> {
    memory.assumingMemoryBound(to: Atomic<UInt64>.self)
  }
}
