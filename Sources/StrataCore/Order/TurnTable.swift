/// Whose turn it is, key by key, where somebody waits: the rules of `KeyOrder` without its threads.
///
/// A key has a line; who stands first in it has the key. A fence takes everything: it runs when all lines that were
/// there before it have emptied, and who comes after it lines up behind it.
///
/// Members are told apart by identity. One that stands first runs at once unless it stands in several lines: then it
/// runs when it is first in all of them. To enter all lines in one step keeps such members from waiting in a circle.
struct TurnTable<Key: Hashable, Member: AnyObject>: ~Copyable {
  struct Line {
    var first: Member
    var others = FIFO<Member>()

    init(first: Member) { self.first = first }
  }

  struct Fence {
    let member: Member
    var behind: [(key: Key, member: Member)] = []
  }

  var lines: [Key: Line] = [:]
  var fences: [Fence] = []

  init() {}

  var isEmpty: Bool { lines.isEmpty && fences.isEmpty }

  /// Enters the line of a key; returns whether the member is first in it.
  mutating func enter(_ member: Member, key: Key) -> Bool {
    if let last = fences.indices.last {
      fences[last].behind.append((key, member))
      return false
    }
    return join(member, key: key)
  }

  /// Enters the line of a key ahead of all that do not run yet, fences among them.
  ///
  /// For members that take no other key, whose thread has another turn: those it passes may be waiting for that turn to
  /// end. Returns whether the member is first, and whom it pushed back from the first place.
  mutating func barge(
    _ member: Member, key: Key, isRunning: (Member) -> Bool
  ) -> (isFirst: Bool, pushedBack: Member?) {
    if let fence = fences.first, isRunning(fence.member) {
      fences[0].behind.insert((key, member), at: 0)
      return (false, nil)
    }
    guard let first = lines[key]?.first else { return (join(member, key: key), nil) }
    if isRunning(first) {
      lines[key]?.others.prepend(member)
      return (false, nil)
    }
    lines[key]?.others.prepend(first)
    lines[key]?.first = member
    return (true, first)
  }

  /// Puts up a fence; returns whether there is nothing before it.
  mutating func enterFence(_ member: Member) -> Bool {
    fences.append(Fence(member: member))
    return fences.count == 1 && lines.isEmpty
  }

  /// Leaves the line of a key, in which the member is first; returns who has come first by that, of the line or of the
  /// fences.
  mutating func leave(key: Key) -> Member? {
    if let next = lines[key]?.others.popFirst() {
      lines[key]?.first = next
      return next
    }
    lines[key] = nil
    return lines.isEmpty ? fences.first?.member : nil
  }

  /// Takes down the first fence, which runs; returns those who have come first by that.
  mutating func leaveFence() -> [Member] { takeDownFence(0) }

  // MARK: Giving up

  /// Leaves the line of a key from whatever place; returns who has come first by that.
  mutating func giveUp(_ member: Member, key: Key) -> Member? {
    if lines[key]?.first === member { return leave(key: key) }
    if lines[key]?.others.removeFirst(where: { $0 === member }) == true { return nil }
    for index in fences.indices {
      fences[index].behind.removeAll { $0.member === member && $0.key == key }
    }
    return nil
  }

  /// Takes down a fence that waits; returns those who have come first by that.
  mutating func giveUpFence(_ member: Member) -> [Member] {
    fences.firstIndex { $0.member === member }.map { takeDownFence($0) } ?? []
  }

  /// Those behind a fence stand behind the one before it then, or in their lines.
  private mutating func takeDownFence(_ index: Int) -> [Member] {
    let fence = fences.remove(at: index)
    if index > 0 {
      fences[index - 1].behind += fence.behind
      return []
    }
    var firsts = fence.behind.filter { join($0.member, key: $0.key) }.map(\.member)
    if lines.isEmpty, let next = fences.first { firsts.append(next.member) }
    return firsts
  }

  // MARK: Who waits for whom

  /// Those a member waits for in the line of a key: the first, and of the others that may hold up the line the last
  /// before it, which waits for those before that.
  func ahead(of member: Member, key: Key, holdsUp: (Member) -> Bool) -> [Member] {
    if let line = lines[key] {
      if line.first === member { return [] }
      if line.others.all.contains(where: { $0 === member }) {
        let others = line.others.all.prefix { $0 !== member }
        return [line.first] + [others.reversed().first(where: holdsUp)].compactMap(\.self)
      }
    }
    for fence in fences {
      guard let place = fence.behind.firstIndex(where: { $0.member === member && $0.key == key }) else {
        continue
      }
      let before = fence.behind[..<place].last { $0.key == key && $0.member !== member && holdsUp($0.member) }
      return [fence.member] + [before?.member].compactMap(\.self)
    }
    return []
  }

  /// Those a fence waits for.
  func ahead(ofFence member: Member, holdsUp: (Member) -> Bool) -> [Member] {
    guard let index = fences.firstIndex(where: { $0.member === member }) else { return [] }
    if index > 0 {
      return [fences[index - 1].member] + fences[index - 1].behind.map(\.member).filter(holdsUp)
    }
    return lines.values.flatMap { [$0.first] + $0.others.all.filter(holdsUp) }
  }

  private mutating func join(_ member: Member, key: Key) -> Bool {
    if lines[key] != nil {
      lines[key]?.others.append(member)
      return false
    }
    lines[key] = Line(first: member)
    return true
  }
}
