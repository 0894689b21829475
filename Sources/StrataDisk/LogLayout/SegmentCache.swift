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
  }

  /// A segment, opened if need be; `nil` if there is none.
  func segment(_ number: Int) throws -> Segment? {
    if let segment = open.withLock({ $0[Self.place(number)] }), segment.number == number { return segment }
    guard let segment = try Segment(number, in: folder, secret: secret) else { return nil }
    add(segment)
    return segment
  }

  func add(_ segment: Segment) {
    open.withLock { $0[Self.place(segment.number)] = segment }
  }

  /// Forgets a segment that is gone. Who reads it at this moment still can.
  func drop(_ number: Int) {
    open.withLock { if $0[Self.place(number)]?.number == number { $0[Self.place(number)] = nil } }
  }

  private static func place(_ number: Int) -> Int { number % capacity }
}
