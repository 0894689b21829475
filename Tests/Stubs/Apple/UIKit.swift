// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What this package calls of UIKit, so that such code type-checks on Linux.

public import Foundation

public final class UIImage: Sendable {
  public init?(data: Data) { fatalError() }
  public func pngData() -> Data? { fatalError() }
}
