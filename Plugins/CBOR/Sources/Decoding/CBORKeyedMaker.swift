/// Creates the keyed containers of a decoder for one type of keys.
///
/// A generic subclass knows the container's metadata and conformance. Otherwise the runtime looks up both for each
/// container, which takes as long as reading three fields.
class CBORKeyedMaker<Key: CodingKey> {
  func container(_ reader: CBORReader, _ map: CBORMap) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(CBORKeyedDecoding<Key>(reader: reader, map: map))
  }
}

private protocol MadeKeyed: KeyedDecodingContainerProtocol {
  init(reader: CBORReader, map: CBORMap)
}

extension CBORKeyedDecoding: MadeKeyed {}

private final class Maker<Container: MadeKeyed>: CBORKeyedMaker<Container.Key> {
  override func container(_ reader: CBORReader, _ map: CBORMap) -> KeyedDecodingContainer<Container.Key> {
    KeyedDecodingContainer(Container(reader: reader, map: map))
  }
}

extension CBORReader {
  /// For each type of keys a `CBORKeyedMaker`, which is never freed.
  private static let makers = CBORTypeTable<Unmanaged<AnyObject>>()

  @inline(__always)
  func container<Key: CodingKey>(keyedBy type: Key.Type, at place: CBORPlace) throws
    -> KeyedDecodingContainer<Key>
  {
    let map = try map(at: place)
    guard let maker = Self.makers.fact(of: type, { Self.maker(of: type) }) else {
      return KeyedDecodingContainer(CBORKeyedDecoding<Key>(reader: self, map: map))
    }
    return maker._withUnsafeGuaranteedRef {
      unsafeDowncast($0, to: CBORKeyedMaker<Key>.self).container(self, map)
    }
  }

  @inline(never)
  private static func maker<Key: CodingKey>(of type: Key.Type) -> Unmanaged<AnyObject> {
    .passRetained(Maker<CBORKeyedDecoding<Key>>())
  }
}
