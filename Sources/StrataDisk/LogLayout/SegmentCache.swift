import StrataCore

/// The segments that are open, few enough to leave descriptors for others.
final class SegmentCache: Sendable {
  /// With segments of 16 MiB, all of a store of 1.5 GB. To open another costs some microseconds.
  private static let capacity = 96
  /// Each at the place that its number gives it: those next to each other never fight for one.
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

  /// A segment that is open already.
  func opened(_ number: Int) -> Segment? {
    let segment = open.withLock { $0[Self.place(number)] }
    return segment?.number == number ? segment : nil
  }

  /// A segment, opened if need be; `nil` if there is none.
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

  /// Forgets a segment that is gone. Who reads it at this moment still can.
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

  /// Closes all that nobody uses at this moment; `false` if nothing is open. They are opened anew when they are needed.
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

  /// Lets go of a segment, outside the lock: to close a file that was deleted is to give back its place on the disk,
  /// which may take a while.
  private func close(_ segment: consuming Segment?) {}
}
