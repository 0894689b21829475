import Glibc

/// A child's progress, in memory shared with its parent, so that it survives a kill of the child.
struct Journal {
  enum Progress: UInt8 { case notBegun, begun, done, thrown }

  private static let size = 1 << 16
  private static let textStart = 1 << 10
  private let memory: UnsafeMutableRawPointer

  init() {
    guard let memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0),
      memory != MAP_FAILED
    else { fail("mmap: errno \(errno)") }
    self.memory = memory
  }

  func clear() { memory.initializeMemory(as: UInt8.self, repeating: 0, count: Self.size) }

  /// Steps are counted from 0.
  subscript(step: Int) -> Progress {
    get { Progress(rawValue: memory.load(fromByteOffset: step, as: UInt8.self)) ?? .notBegun }
    nonmutating set { memory.storeBytes(of: newValue.rawValue, toByteOffset: step, as: UInt8.self) }
  }

  /// Records a violation.
  func note(_ violation: String) {
    let start = Self.textStart + text.utf8.count
    let line = Array((violation + "\n").utf8.prefix(Self.size - 1 - start))
    memory.advanced(by: start).copyMemory(from: line, byteCount: line.count)
  }

  /// All recorded violations, one per line.
  var text: String {
    String(cString: memory.advanced(by: Self.textStart).assumingMemoryBound(to: CChar.self))
  }
}

/// Prints the reason and ends the program, which cannot continue.
func fail(_ reason: String) -> Never {
  print("cannot go on: \(reason)")
  exit(2)
}
