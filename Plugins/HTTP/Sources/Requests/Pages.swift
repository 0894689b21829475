import StrataCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The memory of large buffers, in pages of its own. It is used again while other buffers exist, and returns to the
/// system with the last of them.
///
/// A transfer needs one buffer after the other: the system takes as long to provide and to take back their pages as
/// the transfer takes to fill them.
enum Pages {
  /// A piece of memory.
  ///
  /// Unchecked: its one owner passes it on, and uses it no more.
  struct Piece: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let count: Int

    fileprivate func unmap() { munmap(base, count) }
  }

  private struct State {
    var used = 0
    var free: [Piece] = []
  }

  private static let mostFree = 2
  private static let state = Locked(State())

  /// Returns memory, or `nil` if the system has none.
  ///
  /// - Parameter isFilled: whether all of it will be used, so that the system can provide its pages at once.
  static func take(_ count: Int, isFilled: Bool) -> Piece? {
    let known = state.withLock { state -> Piece? in
      state.used += 1
      return state.free.lastIndex { $0.count == count }.map { state.free.remove(at: $0) }
    }
    if let known { return known }
    #if canImport(Glibc)
      let populate = isFilled ? MAP_POPULATE : 0
    #else
      let populate: CInt = 0
    #endif
    let base = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | populate, -1, 0)
    guard let base, base != MAP_FAILED else {
      state.withLock { $0.used -= 1 }
      return nil
    }
    return Piece(base: base, count: count)
  }

  /// Takes memory back.
  static func give(_ piece: Piece) {
    let excess = state.withLock { state in
      state.used -= 1
      state.free.append(piece)
      let count = state.used == 0 ? state.free.count : max(state.free.count - mostFree, 0)
      defer { state.free.removeFirst(count) }
      return state.free.prefix(count)
    }
    for piece in excess { piece.unmap() }
  }
}
