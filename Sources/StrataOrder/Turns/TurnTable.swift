/// The queues of keys with waiters: the rules of `KeyOrder` without threads.
///
/// Each key has a queue, whose first member has the key. A fence takes everything: it runs when all queues that existed
/// before it are empty, and later members queue behind it.
///
/// Members are compared by identity. A member runs when it is first in all of its queues. A member enters all its
/// queues atomically, so that members never wait for each other in a cycle.
///
/// Unchecked: members are only accessed by the owner of the table, with its lock.
struct TurnTable<Key: Hashable, Member: AnyObject>: ~Copyable, @unchecked Sendable {
  struct Queue {
    var first: Member
    var others = FIFO<Member>()
  }

  struct Fence {
    let member: Member
    /// The members that wait for the fence, in the order in which they enter their queues after it.
    var behind = FIFO<(key: Key, member: Member)>()
  }

  var queues: [Key: Queue] = [:]
  var fences: [Fence] = []

  var isEmpty: Bool { queues.isEmpty && fences.isEmpty }

  /// Adds a member to the queue of a key. Returns whether it is first.
  mutating func enter(_ member: Member, key: Key) -> Bool {
    if let last = fences.indices.last {
      fences[last].behind.append((key: key, member: member))
      return false
    }
    return join(member, key: key)
  }

  /// Adds a member to the queue of a key ahead of all members, and fences, that do not run yet.
  ///
  /// Used for members of a single key, whose thread has another turn: the members that it passes may wait for that turn
  /// to end. Returns whether the member is first, and the member that it has pushed back from the first place.
  mutating func barge(
    _ member: Member, key: Key, isRunning: (Member) -> Bool
  ) -> (isFirst: Bool, pushedBack: Member?) {
    if let fence = fences.first, isRunning(fence.member) {
      fences[0].behind.prepend((key: key, member: member))
      return (false, nil)
    }
    guard let first = queues[key]?.first else { return (join(member, key: key), nil) }
    if isRunning(first) {
      queues[key]?.others.prepend(member)
      return (false, nil)
    }
    queues[key]?.others.prepend(first)
    queues[key]?.first = member
    return (true, first)
  }

  /// Adds a fence. Returns whether it is first, with no queue before it.
  mutating func enterFence(_ member: Member) -> Bool {
    fences.append(Fence(member: member))
    return fences.count == 1 && queues.isEmpty
  }

  private mutating func join(_ member: Member, key: Key) -> Bool {
    if queues[key] != nil {
      queues[key]?.others.append(member)
      return false
    }
    queues[key] = Queue(first: member)
    return true
  }

  // MARK: Leaving

  /// Removes a member from the queue of a key, at any place: it has run, or waits no longer. Returns the member that
  /// becomes first, of the queue or of the fences, if there is one.
  mutating func leave(_ member: Member, key: Key) -> Member? {
    if queues[key]?.first === member { return leave(key: key) }
    if queues[key]?.others.removeOne(where: { $0 === member }) == true { return nil }
    for index in fences.indices
    where fences[index].behind.removeOne(where: { $0.member === member && $0.key == key }) {
      break
    }
    return nil
  }

  /// Removes the first member of a key's queue.
  mutating func leave(key: Key) -> Member? {
    if let next = queues[key]?.others.popFirst() {
      queues[key]?.first = next
      return next
    }
    queues[key] = nil
    return queues.isEmpty ? fences.first?.member : nil
  }

  /// Removes a fence, at any place. The members behind it move behind the preceding fence or, if there is none, into
  /// their queues. Returns the members that become first.
  mutating func leaveFence(_ member: Member) -> [Member] {
    guard let index = fences.firstIndex(where: { $0.member === member }) else { return [] }
    let fence = fences.remove(at: index)
    if index > 0 {
      for place in fence.behind.all { fences[index - 1].behind.append(place) }
      return []
    }
    var firsts = fence.behind.all.filter { join($0.member, key: $0.key) }.map(\.member)
    if queues.isEmpty, let next = fences.first { firsts.append(next.member) }
    return firsts
  }

  // MARK: Waiting members

  /// Returns the members that a member waits for in the queue of a key. These are the first member and the last member
  /// before it that may delay the queue; that one waits for the members before it.
  func ahead(of member: Member, key: Key, holdsUp: (Member) -> Bool) -> [Member] {
    if let queue = queues[key] {
      if queue.first === member { return [] }
      if queue.others.all.contains(where: { $0 === member }) {
        let others = queue.others.all.prefix { $0 !== member }
        return [queue.first] + [others.reversed().first(where: holdsUp)].compactMap(\.self)
      }
    }
    for fence in fences {
      let behind = Array(fence.behind.all)
      guard let place = behind.firstIndex(where: { $0.member === member && $0.key == key }) else { continue }
      let before = behind[..<place].last { $0.key == key && $0.member !== member && holdsUp($0.member) }
      return [fence.member] + [before?.member].compactMap(\.self)
    }
    return []
  }

  /// Returns the members that a fence waits for.
  func ahead(ofFence member: Member, holdsUp: (Member) -> Bool) -> [Member] {
    guard let index = fences.firstIndex(where: { $0.member === member }) else { return [] }
    if index > 0 {
      return [fences[index - 1].member] + fences[index - 1].behind.all.map(\.member).filter(holdsUp)
    }
    return queues.values.flatMap { [$0.first] + $0.others.all.filter(holdsUp) }
  }
}
