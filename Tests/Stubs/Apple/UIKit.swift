// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The declarations of UIKit that this package uses, so that such code type-checks on Linux.

public import Foundation

public final class UIImage: Sendable {
  public init?(data: Data) { fatalError() }
  public func pngData() -> Data? { fatalError() }
}
