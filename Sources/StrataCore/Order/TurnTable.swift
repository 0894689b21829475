/// Whose turn it is, key by key: the rules of `KeyOrder` without its threads.
///
/// Every key that is in use has a line; who stands first in it has the key. A fence takes everything: it runs when all
/// lines that were there before it have emptied, and who comes after it lines up behind it.
///
/// Members are told apart by identity. One that stands first runs at once unless it stands in several lines: then it
/// runs when it is first in all of them. To enter all lines in one step keeps such members from waiting in a circle.
@usableFromInline
struct TurnTable<Key: Hashable, Member: AnyObject> {
  @usableFromInline
  struct Line {
    @usableFromInline var first: Member
    @usableFromInline var others = FIFO<Member>()

    @inlinable
    init(first: Member) { self.first = first }
  }

  @usableFromInline
  struct Fence {
    @usableFromInline let member: Member
    @usableFromInline var behind: [(key: Key, member: Member)] = []
  }

  @usableFromInline var lines: [Key: Line] = [:]
  @usableFromInline var fences: [Fence] = []

  init() {}

  var isEmpty: Bool { lines.isEmpty && fences.isEmpty }

  /// Enters the line of a key; returns whether the member is first in it.
  @inlinable
  mutating func enter(_ member: Member, key: Key) -> Bool {
    if let last = fences.indices.last {
      fences[last].behind.append((key, member))
      return false
    }
    return join(member, key: key)
  }

  /// Enters the line of a key if that makes the member first; returns whether it did.
  @inlinable
  mutating func enterIfFree(_ member: Member, key: Key) -> Bool {
    guard fences.isEmpty, lines[key] == nil else { return false }
    lines[key] = Line(first: member)
    return true
  }

  /// Enters the line of a key ahead of all that do not run yet, fences among them.
  ///
  /// For members whose thread has another turn: those it passes may be waiting for that turn to end. Returns whether the
  /// member is first, and whom it pushed back from the first place.
  @inlinable
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
  @usableFromInline
  mutating func enterFence(_ member: Member) -> Bool {
    fences.append(Fence(member: member))
    return fences.count == 1 && lines.isEmpty
  }

  /// Leaves the line of a key, in which the member is first; returns who has come first by that, of the line or of the fences.
  @inlinable
  mutating func leave(key: Key) -> Member? {
    if let next = lines[key]?.others.popFirst() {
      lines[key]?.first = next
      return next
    }
    lines[key] = nil
    return lines.isEmpty ? fences.first?.member : nil
  }

  /// Takes down the first fence, which runs; returns those who have come first by that.
  @usableFromInline
  mutating func leaveFence() -> [Member] {
    let fence = fences.removeFirst()
    var firsts = fence.behind.filter { join($0.member, key: $0.key) }.map(\.member)
    if lines.isEmpty, let next = fences.first { firsts.append(next.member) }
    return firsts
  }

  /// Whom a member that waits for a key waits for before anyone else.
  func first(key: Key) -> Member? { lines[key]?.first ?? fences.first?.member }

  /// Whom a fence waits for.
  var firsts: [Member] { lines.values.map(\.first) + fences.prefix(1).map(\.member) }

  @inlinable
  mutating func join(_ member: Member, key: Key) -> Bool {
    if lines[key] != nil {
      lines[key]?.others.append(member)
      return false
    }
    lines[key] = Line(first: member)
    return true
  }
}
