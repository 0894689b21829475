extension Pipeline {
  /// Returns the bytes to write next and the start position, or `nil` if there are none or another thread is writing.
  mutating func beginWrite() -> (bytes: [UInt8], start: Int)? {
    isFlushRequested = false
    if isWriting || isBlocked || isClosed { return nil }
    if rest == nil, sealed.isEmpty, outgoing.isEmpty { return nil }
    isWriting = true
    roomEventsAtWrite = roomEvents
    if let rest {
      self.rest = nil
      // The system may accept the whole buffer during the write.
      handed = writingEnd
      return rest
    }
    let bytes: [UInt8]
    if let next = sealed.popFirst() {
      bytes = next
      sealedBytes -= bytes.count
      isWritingSealed = true
    } else {
      bytes = outgoing
      outgoing = spare
      spare = []
      isWritingSealed = false
    }
    outgoingStart += bytes.count
    writingEnd = outgoingStart
    handed = writingEnd
    return (bytes, 0)
  }

  /// Ends a write that reached the position `end`. Returns whether another write is needed and possible.
  mutating func endWrite(_ bytes: consuming [UInt8], _ end: Int, wouldBlock: Bool) -> Bool {
    isWriting = false
    handed = writingEnd - (bytes.count - end)
    if isClosed { return false }
    if end < bytes.count {
      rest = (bytes, end)
    } else if !isWritingSealed, bytes.capacity <= 1 << 20 {
      bytes.removeAll(keepingCapacity: true)
      spare = bytes
    }
    // The socket may have become writable since the write returned.
    isBlocked = wouldBlock && roomEvents == roomEventsAtWrite
    return !isBlocked && (rest != nil || !sealed.isEmpty || !outgoing.isEmpty)
  }

  /// Records that the socket has become writable.
  mutating func socketHasRoom() {
    isBlocked = false
    roomEvents += 1
  }
}
