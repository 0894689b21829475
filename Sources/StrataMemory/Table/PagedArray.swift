/// Additional values of a table's nodes, with the indices of the nodes. A page exists only if one of its nodes has a
/// value, so a property that few entries have needs little memory.
///
/// Unsafe: a page must exist before it is read. Elements are trivial and need no deinitialisation.
@usableFromInline
struct PagedArray<Element: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
  @usableFromInline typealias Page = UnsafeMutablePointer<Element>

  @usableFromInline var pages: UnsafeMutablePointer<Page?>
  @usableFromInline var room = 0

  @inlinable
  static var pageSize: Int { 256 }

  @inlinable
  init() { pages = .allocate(capacity: 0) }

  @inlinable
  deinit {
    for number in 0..<room { pages[number]?.deallocate() }
    pages.deallocate()
  }

  @inlinable
  subscript(index: UInt32) -> Element {
    @inline(__always) get { Self.element(index, of: pages) }
    @inline(__always) nonmutating set {
      pages[Int(index &>> 8)].unsafelyUnwrapped[Int(index & 255)] = newValue
    }
  }

  /// Returns an element, given only the list of pages.
  @inlinable
  @inline(__always)
  static func element(_ index: UInt32, of pages: UnsafeMutablePointer<Page?>) -> Element {
    pages[Int(index &>> 8)].unsafelyUnwrapped[Int(index & 255)]
  }

  /// Adds the page of an index, if it does not exist.
  @inlinable
  mutating func addPage(of index: UInt32, filledWith element: Element) {
    addPage(Int(index &>> 8), filledWith: element)
  }

  @inlinable
  mutating func addPage(_ number: Int, filledWith element: Element) {
    if number >= room { makeRoom(number + 1) }
    guard pages[number] == nil else { return }
    let page = Page.allocate(capacity: Self.pageSize)
    page.initialize(repeating: element, count: Self.pageSize)
    pages[number] = page
  }

  /// Adds the pages of `count` indices, beginning with `index`.
  @inlinable
  mutating func addPages(from index: UInt32, count: UInt32, filledWith element: Element) {
    for number in Self.pages(from: index, count: count) { addPage(number, filledWith: element) }
  }

  /// Frees the existing pages of `count` indices, beginning with `index`.
  @inlinable
  mutating func removePages(from index: UInt32, count: UInt32) {
    for number in Self.pages(from: index, count: count) where number < room {
      pages[number]?.deallocate()
      pages[number] = nil
    }
  }

  @inlinable
  static func pages(from index: UInt32, count: UInt32) -> ClosedRange<Int> {
    Int(index) / pageSize...(Int(index) + Int(count) - 1) / pageSize
  }

  @usableFromInline
  mutating func makeRoom(_ count: Int) {
    let larger = max(count, room * 2, 4)
    let moved = UnsafeMutablePointer<Page?>.allocate(capacity: larger)
    moved.update(from: pages, count: room)
    (moved + room).initialize(repeating: nil, count: larger - room)
    pages.deallocate()
    pages = moved
    room = larger
  }
}
