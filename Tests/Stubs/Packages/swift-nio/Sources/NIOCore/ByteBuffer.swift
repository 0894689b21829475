// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct ByteBuffer: Sendable, Hashable {
  public private(set) var readableBytesView: [UInt8] = []

  public init() {}
  public init(bytes: some Sequence<UInt8>) { readableBytesView = Array(bytes) }
  public init(string: String) { readableBytesView = Array(string.utf8) }

  public var readableBytes: Int { readableBytesView.count }

  @discardableResult
  public mutating func writeImmutableBuffer(_ buffer: ByteBuffer) -> Int {
    readableBytesView += buffer.readableBytesView
    return buffer.readableBytes
  }
}

extension String {
  public init(buffer: ByteBuffer) { self.init(decoding: buffer.readableBytesView, as: UTF8.self) }
}
