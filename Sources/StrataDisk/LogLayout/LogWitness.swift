import StrataCore

/// An earlier end of the log, according to a control file that this library wrote, trusted or not.
///
/// A page from an earlier boot may be older than the segments. If it says that the log was longer, records are lost.
struct LogWitness {
  let secret: Secret
  let tail: LogPosition
  let oldest: Int
  let logBytes: Int
  /// Whether the control file was written in the current boot, and so by the processes that use the log now.
  let isCurrent: Bool
  /// Whether the control file was written in an earlier boot, so that no process has the log open.
  let isOfAnEarlierBoot: Bool
  let isHalfChanged: Bool

  /// Creates a witness; `nil` if the page's checksum does not match.
  init?(_ control: ControlFile) throws(SystemError) {
    guard control.isUndamaged, control.load(.magic) == ControlFile.magic else { return nil }
    secret = control.secret
    tail = control.tail
    oldest = control.oldest
    logBytes = control.logBytes
    isCurrent = try control.isSound()
    isOfAnEarlierBoot = try control.isOfAnEarlierBoot()
    isHalfChanged = control.isHalfChanged
  }
}

extension LogSession {
  /// Reports parts of the log that existed according to a witness, and are missing from the segments. Returns how many
  /// bytes are missing from the existing segments.
  func noteLoss(_ witness: LogWitness?) throws -> Int {
    guard let witness else { return 0 }
    let isEmpty = control.oldest == control.tail.segment && control.tail.offset == 0
    guard witness.secret == secret || isEmpty && witness.logBytes + witness.tail.offset > 0 else { return 0 }
    if witness.secret != secret || witness.tail > control.tail {
      note(
        lostEnd(
          from: isEmpty ? LogPosition(segment: witness.oldest, offset: 0) : control.tail, to: witness.tail))
      return 0
    }
    guard witness.tail == control.tail, witness.isCurrent || witness.oldest == control.oldest,
      !witness.isHalfChanged
    else { return 0 }
    // A rebuilt log begins with its first existing segment.
    if witness.oldest < control.oldest {
      note(lost(Array(witness.oldest..<control.oldest)))
      return 0
    }
    var bytes = 0
    for number in try folder.segmentNumbers() where number >= control.oldest && number <= control.tail.segment
    {
      bytes += number == control.tail.segment ? control.tail.offset : try folder.bytes(of: [number])
    }
    return witness.logBytes - bytes
  }

  private func lostEnd(from: LogPosition, to: LogPosition) -> StorageError {
    .malformedFileAttributes.with(
      "the end of the log is lost, from \(from.offset) in segment \(from.segment) to \(to.offset) in segment "
        + "\(to.segment): \(Self.consequence)", place: folder.path)
  }

  /// Returns the error for missing segments.
  func lost(_ numbers: [Int]) -> StorageError {
    let names =
      numbers.count == 1 ? "segment \(numbers[0])" : "segments \(numbers[0]) to \(numbers[numbers.count - 1])"
    return .malformedFileAttributes.with(
      "\(names) of the log cannot be found: \(Self.consequence)", place: folder.path)
  }

  func cutShort(_ segment: Segment) -> StorageError {
    .malformedFileAttributes.with(
      "a segment of the log is cut short: it does not end in a table of contents; \(Self.consequence)",
      place: segment.path)
  }

  func shorter(by bytes: Int) -> StorageError {
    .malformedFileAttributes.with(
      "the log is \(bytes) bytes shorter than it was when it was written: \(Self.consequence)",
      place: folder.path)
  }

  private static let consequence =
    "the entries written there are lost, and older or removed values of their keys are current again; restore the "
    + "folder from a copy, or remove the entries that must not be old"
}
