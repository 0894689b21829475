/// Creates the keyed containers of an encoder for one type of keys; see `CBORKeyedMaker`.
class CBORKeyedEncodingMaker<Key: CodingKey> {
  func container(_ session: CBORSession, _ node: CBORNodeID) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(CBORKeyedEncoding<Key>(session: session, node: node))
  }
}

private protocol MadeKeyed: KeyedEncodingContainerProtocol {
  init(session: CBORSession, node: CBORNodeID)
}

extension CBORKeyedEncoding: MadeKeyed {}

private final class Maker<Container: MadeKeyed>: CBORKeyedEncodingMaker<Container.Key> {
  override func container(_ session: CBORSession, _ node: CBORNodeID) -> KeyedEncodingContainer<Container.Key>
  {
    KeyedEncodingContainer(Container(session: session, node: node))
  }
}

extension CBORSession {
  /// For each type of keys a `CBORKeyedEncodingMaker`, which is never freed.
  private static let makers = CBORTypeTable<Unmanaged<AnyObject>>()

  @inline(__always)
  func container<Key: CodingKey>(keyedBy type: Key.Type, _ node: CBORNodeID) -> KeyedEncodingContainer<Key> {
    guard let maker = Self.makers.fact(of: type, { Self.maker(of: type) }) else {
      return KeyedEncodingContainer(CBORKeyedEncoding<Key>(session: self, node: node))
    }
    return maker._withUnsafeGuaranteedRef {
      unsafeDowncast($0, to: CBORKeyedEncodingMaker<Key>.self).container(self, node)
    }
  }

  @inline(never)
  private static func maker<Key: CodingKey>(of type: Key.Type) -> Unmanaged<AnyObject> {
    .passRetained(Maker<CBORKeyedEncoding<Key>>())
  }
}
