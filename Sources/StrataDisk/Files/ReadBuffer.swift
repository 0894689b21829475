/// Memory for reading files one after the other. Memory that the system has just provided takes longer to fill than
/// memory that is used again.
struct ReadBuffer: ~Copyable {
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  deinit { memory.deallocate() }

  /// Returns memory for a number of bytes, valid until the next call. The previous contents are lost.
  mutating func bytes(_ count: Int) -> UnsafeMutableRawBufferPointer {
    if count > memory.count {
      memory.deallocate()
      // Tables of contents become longer from segment to segment.
      memory = .allocate(byteCount: count + count / 2, alignment: 16)
    }
    return memory.part(0..<count)
  }
}
