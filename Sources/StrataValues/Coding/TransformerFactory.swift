#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
#if canImport(UIKit) && !os(watchOS)
  public import UIKit
#elseif canImport(AppKit)
  public import AppKit
#endif

/// The most common transformers.
///
/// ```swift
/// let users = try Storage<String, User>(
///   diskConfig: DiskConfig(name: "users"), transformer: TransformerFactory.forCodable(ofType: User.self))
/// ```
public enum TransformerFactory {
  /// Returns a transformer of any `Codable` type as JSON.
  public static func forCodable<U: Codable & Sendable>(ofType type: U.Type) -> Transformer<U> {
    .codable(type)
  }

  /// Returns the transformer of bytes, which does not change them.
  public static func forData() -> Transformer<Data> { .data }

  #if canImport(UIKit) && !os(watchOS)
    /// Returns a transformer of images as PNG.
    public static func forImage() -> Transformer<UIImage> {
      Transformer(
        toData: { image in
          guard let data = image.pngData() else {
            throw StorageError.encodingFailed.with("not a bitmap image")
          }
          return data
        },
        fromData: { data in
          guard let image = UIImage(data: data) else {
            throw StorageError.decodingFailed.with("not an image")
          }
          return image
        })
    }
  #elseif canImport(AppKit)
    /// Returns a transformer of images as PNG.
    public static func forImage() -> Transformer<NSImage> {
      Transformer(
        toData: { image in
          guard let tiff = image.tiffRepresentation, let bitmap = NSBitmapImageRep(data: tiff),
            let data = bitmap.representation(using: .png, properties: [:])
          else { throw StorageError.encodingFailed.with("not a bitmap image") }
          return data
        },
        fromData: { data in
          guard let image = NSImage(data: data) else {
            throw StorageError.decodingFailed.with("not an image")
          }
          return image
        })
    }
  #endif
}
