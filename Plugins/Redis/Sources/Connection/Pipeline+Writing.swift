extension Pipeline {
  /// Takes the bytes that are to be written next, and where to begin; `nil` if there are none or somebody else is at
  /// it.
  mutating func beginWrite() -> (bytes: [UInt8], start: Int)? {
    isFlushRequested = false
    if isWriting || isBlocked || isClosed { return nil }
    if rest == nil, outgoing.isEmpty { return nil }
    isWriting = true
    roomEventsAtWrite = roomEvents
    if let rest {
      self.rest = nil
      // As long as it is being written, all of it may arrive.
      handed = writingEnd
      return rest
    }
    let bytes = outgoing
    outgoing = spare
    spare = []
    outgoingStart += bytes.count
    writingEnd = outgoingStart
    handed = writingEnd
    return (bytes, 0)
  }

  /// Ends a write that came as far as `end`. Tells whether there is more to be written, and may be.
  mutating func endWrite(_ bytes: consuming [UInt8], _ end: Int, wouldBlock: Bool) -> Bool {
    isWriting = false
    handed = writingEnd - (bytes.count - end)
    if isClosed { return false }
    if end < bytes.count {
      rest = (bytes, end)
    } else if bytes.capacity <= 1 << 20 {
      bytes.removeAll(keepingCapacity: true)
      spare = bytes
    }
    // The socket may have said that it takes more while this was on its way here.
    isBlocked = wouldBlock && roomEvents == roomEventsAtWrite
    return !isBlocked && (rest != nil || !outgoing.isEmpty)
  }

  /// The socket takes more.
  mutating func socketHasRoom() {
    isBlocked = false
    roomEvents += 1
  }
}
