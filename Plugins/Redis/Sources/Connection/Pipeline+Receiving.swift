import StrataCore

extension Pipeline {
  /// A call with all of its replies.
  struct Answered: Sendable {
    let call: Call
    let replies: Replies
  }

  /// The results of received replies.
  struct Receipt: Sendable {
    var answered: [Answered] = []
    /// Whether there was a reply without a call.
    var hasUnasked = false
    var nextStep = NextStep.nothing
  }

  /// Assigns replies, in the order of arrival, to calls, in the order in which they were sent.
  mutating func receive(_ replies: ArraySlice<RESPValue>) -> Receipt {
    var receipt = Receipt()
    receipt.answered.reserveCapacity(min(replies.count, sent.count + 1))
    runs.removeFirst(replies.count)
    var rest = replies
    while !rest.isEmpty {
      guard let call = current?.sent ?? sent.popFirst() else {
        receipt.hasUnasked = true
        return receipt
      }
      let count = call.count - (current?.replies.count ?? 0)
      let part = rest.prefix(count)
      rest = rest.dropFirst(part.count)
      // Complete replies, the usual case, are not collected first.
      let whole: ArraySlice<RESPValue>
      if current == nil, part.count == count {
        whole = part
      } else {
        if current == nil { current = Partial(sent: call) }
        current?.replies += part
        guard part.count == count, let all = current?.replies else { continue }
        current = nil
        whole = all[...]
      }
      if let waiting = call.call {
        receipt.answered.append(Answered(call: waiting, replies: call.replies(whole)))
      }
    }
    if case .open = phase, !held.isEmpty { receipt.nextStep = admit() }
    return receipt
  }
}

extension Pipeline.Sent {
  fileprivate func replies(_ all: ArraySlice<RESPValue>) -> Replies {
    if let outcome {
      if outcome == RedisCommand.Outcome.all, all.count == 2 {
        let (first, second) = (all[all.startIndex], all[all.startIndex + 1])
        if first.failure == nil, second.failure == nil { return .two(first, second) }
      }
      return .one(outcome.reply(all))
    }
    return all.count == 1 ? .one(all[all.startIndex]) : .many(Array(all))
  }
}
