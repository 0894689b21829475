/// A part of the keys of a store, and the cursor of the part that follows.
///
/// ```swift
/// var page = try users.keyPage(after: nil, limit: 100)
/// print(page.keys)
/// while let cursor = page.next {
///   page = try users.keyPage(after: cursor, limit: 100)
///   print(page.keys)
/// }
/// ```
public struct KeyPage<Key: Sendable>: Sendable {
  /// The keys of this page, in no particular order. A page may be empty and not be the last.
  public var keys: [Key]
  /// The cursor of the next page, or `nil` if this page is the last.
  public var next: KeyCursor?

  /// Creates a page.
  public init(keys: [Key], next: KeyCursor?) {
    self.keys = keys
    self.next = next
  }
}

extension KeyPage {
  /// Creates a page of the first keys of a list that is in memory. The cursor keeps the others.
  package init(_ keys: ArraySlice<Key>, limit: Int) {
    let rest = keys.dropFirst(max(1, limit))
    self.init(keys: Array(keys[..<rest.startIndex]), next: rest.isEmpty ? nil : KeyCursor(rest))
  }

  /// Returns the page with other keys and the same cursor.
  package func replacingKeys<Other>(_ change: ([Key]) throws -> [Other]) rethrows -> KeyPage<Other> {
    KeyPage<Other>(keys: try change(keys), next: next)
  }
}

/// A position in the keys of a store, from which `keyPage(after:limit:)` continues.
///
/// ```swift
/// // In a store of your own, whose keys are in ascending order:
/// func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<String> {
///   let last: String? = try cursor?.position()
///   let keys = try table.names(after: last ?? "", limit: limit)
///   return KeyPage(keys: keys, next: keys.last.map { KeyCursor($0) })
/// }
/// ```
///
/// Only the store that returned a cursor understands it, and only in the same process. A cursor may be used again, for
/// example after a failure.
public struct KeyCursor: Sendable {
  private let stored: any Sendable

  /// Creates a cursor from a position, whose type is the store's own choice: the last key of a page, for example.
  public init(_ position: some Sendable) { stored = position }

  /// Returns the position. Throws `.typeNotMatch` if another store has made the cursor.
  public func position<Position: Sendable>(as type: Position.Type = Position.self) throws -> Position {
    guard let position = stored as? Position else {
      throw StorageError.typeNotMatch.with(
        "the cursor belongs to another store: begin at the first page, with `nil`")
    }
    return position
  }
}
