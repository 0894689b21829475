#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Synchronization

/// The control file of a folder that this process may not write, as others see it.
///
/// If the file is not to be believed, a reader makes itself a page of its own from the segments, which shows nothing of
/// what is written later. Once somebody who may write has made the file anew, the reader has to open the log again.
///
/// Unchecked: the memory is only touched through atomics, and stays mapped until this object goes.
final class WatchedControl: @unchecked Sendable {
  private let path: String
  private let memory: UnsafeMutableRawPointer?
  private let hasOwnPage = Atomic(false)
  /// What stood there when the log was opened: none of these numbers is ever used again.
  private let generation: UInt64

  /// - Parameter memory: The file, mapped; `nil` if there is none of the right size.
  init(_ path: String, _ memory: UnsafeMutableRawPointer?) {
    self.path = path
    self.memory = memory
    generation =
      memory.map { Self.words($0)[ControlFile.Word.generation.rawValue].load(ordering: .acquiring) } ?? 0
  }

  deinit { if let memory { munmap(memory, ControlFile.size) } }

  /// Says that the reader goes by a page of its own from now on.
  func detach() { hasOwnPage.store(true, ordering: .releasing) }

  /// Whether the reader goes by a page of its own.
  var isDetached: Bool { hasOwnPage.load(ordering: .relaxed) }

  /// Whether somebody has made a file that can be believed, since the reader made itself its own page.
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
