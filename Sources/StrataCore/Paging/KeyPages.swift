/// The keys of a store as an asynchronous sequence of pages. `keyPages(limit:)` returns it.
///
/// ```swift
/// for try await keys in users.keyPages(limit: 500) { print("\(keys.count) keys") }
/// ```
///
/// Each iteration begins at the first page. A failure ends the iteration.
public struct KeyPages<Key: Sendable>: AsyncSequence, Sendable {
  /// A page of keys, never empty.
  public typealias Element = [Key]
  let page: @Sendable (KeyCursor?) async throws -> KeyPage<Key>

  init(_ page: @escaping @Sendable (KeyCursor?) async throws -> KeyPage<Key>) { self.page = page }

  /// Returns an iterator that begins at the first page.
  public func makeAsyncIterator() -> Iterator { Iterator(page: page) }

  /// An iteration over the pages.
  public struct Iterator: AsyncIteratorProtocol {
    let page: @Sendable (KeyCursor?) async throws -> KeyPage<Key>
    private var cursor: KeyCursor?
    private var hasEnded = false

    init(page: @escaping @Sendable (KeyCursor?) async throws -> KeyPage<Key>) { self.page = page }

    /// Reads the next page, or returns `nil` after the last. Throws `CancellationError` if the task is cancelled.
    public mutating func next() async throws -> [Key]? {
      while !hasEnded {
        // Remains `true` if the read fails.
        hasEnded = true
        try Task.checkCancellation()
        let read = try await page(cursor)
        cursor = read.next
        hasEnded = cursor == nil
        if !read.keys.isEmpty { return read.keys }
      }
      return nil
    }
  }
}

/// The entries of a store as an asynchronous sequence of pages. `entryPages(limit:)` returns it.
///
/// ```swift
/// for try await entries in users.entryPages(limit: 500) { try await archive.setEntries(entries) }
/// ```
///
/// Each iteration begins at the first page. A failure ends the iteration.
public struct EntryPages<Key: Hashable & Sendable, Value: Sendable>: AsyncSequence, Sendable {
  /// A page of entries, never empty.
  public typealias Element = [Key: Entry<Value>]
  let keys: KeyPages<Key>
  let entries: @Sendable ([Key]) async throws -> [Key: Entry<Value>]

  init(_ keys: KeyPages<Key>, entries: @escaping @Sendable ([Key]) async throws -> [Key: Entry<Value>]) {
    self.keys = keys
    self.entries = entries
  }

  /// Returns an iterator that begins at the first page.
  public func makeAsyncIterator() -> Iterator { Iterator(keys: keys.makeAsyncIterator(), entries: entries) }

  /// An iteration over the pages.
  public struct Iterator: AsyncIteratorProtocol {
    var keys: KeyPages<Key>.Iterator
    let entries: @Sendable ([Key]) async throws -> [Key: Entry<Value>]

    /// Reads the next page, or returns `nil` after the last. Throws `CancellationError` if the task is cancelled.
    public mutating func next() async throws -> [Key: Entry<Value>]? {
      while let page = try await keys.next() {
        let found = try await entries(page)
        if !found.isEmpty { return found }
      }
      return nil
    }
  }
}

/// The elements of a sequence of pages, one by one. `keySequence()` and `entrySequence()` return it.
///
/// ```swift
/// for try await (key, entry) in users.entrySequence() { print(key, entry.object.name) }
/// ```
public struct PagedSequence<Pages: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Pages.Element: Collection {
  /// A key, or a key with its entry.
  public typealias Element = Pages.Element.Element
  /// The pages that the elements are read in.
  public let pages: Pages

  init(_ pages: Pages) { self.pages = pages }

  /// Returns an iterator that begins at the first element.
  public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

  /// An iteration over the elements.
  public struct Iterator: AsyncIteratorProtocol {
    var pages: Pages.AsyncIterator
    var page: Pages.Element.Iterator?

    init(pages: Pages.AsyncIterator) { self.pages = pages }

    /// Returns the next element, or `nil` after the last. Reads a page when the one before has no more elements.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      while true {
        if let element = page?.next() { return element }
        page = try await pages.next(isolation: actor)?.makeIterator()
        if page == nil { return nil }
      }
    }
  }
}
