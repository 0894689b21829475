import StrataCore

extension Pipeline {
  /// A call with all of its replies.
  struct Answered: Sendable {
    let call: Call
    let replies: Replies
  }

  /// What follows from replies.
  struct Receipt: Sendable {
    var answered: [Answered] = []
    /// There was a reply that nobody asked for.
    var hasUnasked = false
    var errand = Errand.nothing
  }

  /// Hands on replies in the order in which they came, to calls in the order in which they were sent.
  mutating func receive(_ replies: ArraySlice<RESPValue>) -> Receipt {
    var receipt = Receipt()
    receipt.answered.reserveCapacity(replies.count)
    for reply in replies {
      if current == nil, let next = sent.popFirst() {
        if next.count == 1 {
          if let call = next.call { receipt.answered.append(Answered(call: call, replies: .one(reply))) }
          continue
        }
        current = Partial(sent: next)
      }
      guard current?.receive(reply) != nil else {
        receipt.hasUnasked = true
        return receipt
      }
      guard let whole = current?.whole else { continue }
      if let call = current?.sent.call { receipt.answered.append(Answered(call: call, replies: whole)) }
      current = nil
    }
    if case .open = phase, !held.isEmpty { receipt.errand = admit() }
    return receipt
  }
}

extension Pipeline.Partial {
  mutating func receive(_ next: RESPValue) { replies.append(next) }

  /// All replies, if they have come.
  var whole: Replies? {
    if replies.count < sent.count { return nil }
    return sent.command.map { .one($0.reply(replies)) } ?? .many(replies)
  }
}
