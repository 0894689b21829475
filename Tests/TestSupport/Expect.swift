import Foundation
package import Testing

// `#expect` takes the compiler a hundredth of a second for each call: its argument is checked twice, and so is the code
// that the macro writes. In these tests, with some eight thousand calls, that was a third of the time of a build. These
// functions record the same issues. They have no closures and no generic results, so that calls are cheap to compile.

/// Records an issue with the line of the source unless a condition holds.
package func expect(
  _ condition: Bool, _ comment: @autoclosure () -> Comment? = nil, path: StaticString = #filePath,
  id: StaticString = #fileID, line: Int = #line, column: Int = #column
) {
  if condition { return }
  record(nil, comment(), SourceLocation(path, id, line, column))
}

/// Records an issue with both values unless they are equal.
package func expect<Value: Equatable>(
  _ value: Value, equals other: Value, _ comment: @autoclosure () -> Comment? = nil,
  path: StaticString = #filePath, id: StaticString = #fileID, line: Int = #line, column: Int = #column
) {
  if value == other { return }
  record("\(value) is not \(other)", comment(), SourceLocation(path, id, line, column))
}

/// Records an issue at another place, such as the caller of a function with expectations, unless a condition holds.
package func expect(
  _ condition: Bool, _ comment: @autoclosure () -> Comment? = nil, sourceLocation: SourceLocation
) {
  if condition { return }
  record(nil, comment(), sourceLocation)
}

/// Records an issue at another place with both values unless they are equal.
package func expect<Value: Equatable>(
  _ value: Value, equals other: Value, _ comment: @autoclosure () -> Comment? = nil, sourceLocation: SourceLocation
) {
  if value == other { return }
  record("\(value) is not \(other)", comment(), sourceLocation)
}

extension SourceLocation {
  fileprivate init(_ path: StaticString, _ id: StaticString, _ line: Int, _ column: Int) {
    self.init(fileID: "\(id)", filePath: "\(path)", line: line, column: column)
  }

  /// The line of the source, if the file can be read.
  fileprivate var text: String? {
    guard let source = FileManager.default.contents(atPath: filePath) else { return nil }
    let lines = String(decoding: source, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    return line <= lines.count ? lines[line - 1].trimmingCharacters(in: .whitespaces) : nil
  }
}

private func record(_ difference: String?, _ comment: Comment?, _ place: SourceLocation) {
  let parts = [place.text, difference, comment?.rawValue]
  Issue.record(Comment(rawValue: parts.compactMap(\.self).joined(separator: "; ")), sourceLocation: place)
}
