// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The declarations of AppKit that this package uses, so that such code type-checks on Linux.

public import Foundation

public final class NSImage: Sendable {
  public init?(data: Data) { fatalError() }
  public var tiffRepresentation: Data? { fatalError() }
}

public final class NSBitmapImageRep {
  public enum FileType { case png }
  public struct PropertyKey: Hashable, Sendable {}
  public init?(data: Data) { fatalError() }
  public func representation(using type: FileType, properties: [PropertyKey: Any]) -> Data? { fatalError() }
}
