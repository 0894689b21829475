import StrataCore

/// The open segments of a store, limited to leave descriptors for others.
final class SegmentCache: Sendable {
  /// Enough for a store of 1.5 GB with segments of 16 MiB. Opening another segment costs some microseconds.
  private static let capacity = 96
  /// Slots indexed by segment number modulo the capacity, so that neighbouring segments never share one.
  private let open = Locked([Segment?](repeating: nil, count: SegmentCache.capacity))
  private let folder: EntryFolder
  private let secret: Secret

  init(in folder: EntryFolder, secret: Secret) {
    self.folder = folder
    self.secret = secret
    Descriptors.register(self)
  }

  deinit {
    giveBack()
    Descriptors.forget(self)
  }

  /// Returns a segment if it is open already.
  func opened(_ number: Int) -> Segment? {
    let segment = open.withLock { $0[Self.place(number)] }
    return segment?.number == number ? segment : nil
  }

  /// Returns a segment, opening it if necessary; `nil` if there is none.
  func segment(_ number: Int) throws -> Segment? {
    if let segment = opened(number) { return segment }
    guard let segment = try Segment(number, in: folder, secret: secret) else { return nil }
    add(segment)
    return segment
  }

  func add(_ segment: Segment) {
    let other = open.withLock { open in
      let other = open[Self.place(segment.number)]
      open[Self.place(segment.number)] = segment
      return other
    }
    if other == nil { Descriptors.count(1, by: self) }
    close(other)
  }

  /// Forgets a segment that was deleted. Reads in progress still finish.
  func drop(_ number: Int) {
    let segment = open.withLock { open -> Segment? in
      let place = Self.place(number)
      guard open[place]?.number == number else { return nil }
      defer { open[place] = nil }
      return open[place]
    }
    if segment != nil { Descriptors.count(-1) }
    close(segment)
  }

  /// Closes all segments that no thread is using; `false` if none is open. They are opened again when they are needed.
  @discardableResult
  func giveBack() -> Bool {
    let segments = open.withLock { open in
      defer { for place in open.indices { open[place] = nil } }
      return open.compactMap { $0 }
    }
    if segments.isEmpty { return false }
    Descriptors.count(-segments.count)
    return true
  }

  private static func place(_ number: Int) -> Int { number % capacity }

  /// Releases a segment outside the lock: closing a deleted file frees its space on disk, which may take a while.
  private func close(_ segment: consuming Segment?) {}
}
