/// The checked bytes of one decoding, and the positions in its containers.
///
/// One decoding uses it at a time. The bytes belong to the caller while `decode` runs. A type that keeps a
/// decoder beyond that keeps the reader, which then has a copy of the bytes.
final class CBORReader: ManagedBuffer<CBORReaderState, CBORCursor> {
  /// The number of cursors in the reader's own memory. Deeper values need memory for more.
  private static let shallow = 8

  /// Creates a reader, in one allocation.
  static func reading(_ bytes: CBORBytes, userInfo: [CodingUserInfoKey: any Sendable]) -> CBORReader {
    let buffer = create(minimumCapacity: shallow) { buffer in
      let cursors = buffer.withUnsafeMutablePointerToElements { $0 }
      cursors.initialize(repeating: CBORCursor(), count: shallow)
      return CBORReaderState(
        base: bytes.base, count: bytes.count, cursors: cursors, capacity: shallow, userInfo: userInfo)
    }
    return unsafeDowncast(buffer, to: CBORReader.self)
  }

  deinit {
    if state.pointee.isOwner { state.pointee.base.deallocate() }
    if state.pointee.capacity > Self.shallow { state.pointee.cursors.deallocate() }
  }

  /// The reader's own memory, which needs no checks for exclusive access.
  @inline(__always) var state: UnsafeMutablePointer<CBORReaderState> {
    withUnsafeMutablePointerToHeader { $0 }
  }

  @inline(__always) var userInfo: [CodingUserInfoKey: any Sendable] { state.pointee.userInfo }

  /// Copies the bytes, for decoders that outlive the caller's buffer.
  func ownBytes() {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: state.pointee.count)
    copy.update(from: state.pointee.base, count: state.pointee.count)
    state.pointee.base = UnsafePointer(copy)
    state.pointee.isOwner = true
  }

  @inline(__always) var base: UnsafePointer<UInt8> { state.pointee.base }

  @inline(__always)
  func head(at offset: Int) -> CBORHead { CBORHead(at: base + offset) }

  /// Returns the offset of the item behind its tags, or its own offset if it has none.
  @inline(__always)
  func untagged(_ offset: Int) -> Int { base[offset] >> 5 == MajorType.tag ? skipTags(offset) : offset }

  private func skipTags(_ offset: Int) -> Int {
    var at = offset
    while base[at] >> 5 == MajorType.tag { at += head(at: at).size }
    return at
  }

  /// Returns the cursor of a container at a depth, at its last position or at the container's beginning.
  @inline(__always)
  func cursor(_ depth: Int, of start: Int) -> UnsafeMutablePointer<CBORCursor> {
    if depth >= state.pointee.capacity { makeRoom(for: depth) }
    let cursor = state.pointee.cursors + depth
    if cursor.pointee.start != start { cursor.pointee = CBORCursor(start: start) }
    return cursor
  }

  private func makeRoom(for depth: Int) {
    let (old, size) = (state.pointee.cursors, state.pointee.capacity)
    let larger = max(2 * size, depth + 1)
    let cursors = UnsafeMutablePointer<CBORCursor>.allocate(capacity: larger)
    cursors.initialize(repeating: CBORCursor(), count: larger)
    cursors.update(from: old, count: size)
    if size > Self.shallow { old.deallocate() }
    (state.pointee.cursors, state.pointee.capacity) = (cursors, larger)
  }

  /// Returns the offset behind an item. Uses the cursor of a container that has just been read, instead of scanning it
  /// again.
  ///
  /// - Parameter depth: the depth of the item, if it is a container.
  @inline(__always)
  func end(of offset: Int, depth: Int) -> Int {
    let first = base[offset]
    if first >> 5 != MajorType.map && first >> 5 != MajorType.array {
      return CBORScan.end(of: offset, in: base)
    }
    return endOfContainer(offset, depth: depth)
  }

  private func endOfContainer(_ offset: Int, depth: Int) -> Int {
    let head = head(at: offset)
    let (start, items) = (offset + head.size, Int(head.number) * (head.major == MajorType.map ? 2 : 1))
    guard depth < state.pointee.capacity, state.pointee.cursors[depth].start == start else {
      return CBORScan.end(of: items, itemsAt: start, in: base)
    }
    let cursor = state.pointee.cursors[depth]
    let taken = cursor.taken * (head.major == MajorType.map ? 2 : 1)
    let next = cursor.value >= 0 ? end(of: untagged(cursor.value), depth: depth + 1) : cursor.next
    return CBORScan.end(of: items - taken, itemsAt: next, in: base)
  }
}

struct CBORReaderState {
  var base: UnsafePointer<UInt8>
  let count: Int
  var isOwner = false
  /// One cursor per depth. It is a hint, valid only for the container that it names.
  var cursors: UnsafeMutablePointer<CBORCursor>
  var capacity: Int
  let userInfo: [CodingUserInfoKey: any Sendable]
}

/// The position within a container.
struct CBORCursor {
  /// The offset behind the container's head, which identifies the container; -1 for an unused cursor.
  var start = -1
  /// The offset of the next key or element, unless `value` is set.
  var next = -1
  /// The offset of the value that was found last, if `next` still has to be computed from its end; otherwise -1.
  var value = -1
  /// The number of pairs or elements before `next`, including one that has begun.
  var taken = 0
  /// Whether a key was skipped: it may be the first of two equal keys.
  var hasSkipped = false
  /// The keys before `next`.
  var passed = CBORKeySet()
  /// The offset of the last key, for the coding path. In an array, -2 minus the last index.
  var key = -1

  init() {}
  init(start: Int) { (self.start, next) = (start, start) }
}
