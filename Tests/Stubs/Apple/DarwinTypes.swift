// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Types of Darwin that have the name of a function: in a module of their own, since Swift has one name for both.

public struct kevent {
  public var ident: UInt = 0
  public var filter: Int16 = 0
  public var flags: UInt16 = 0
  public var fflags: UInt32 = 0
  public var data: Int = 0
  public var udata: UnsafeMutableRawPointer?

  public init() {}
  public init(
    ident: UInt, filter: Int16, flags: UInt16, fflags: UInt32, data: Int, udata: UnsafeMutableRawPointer?
  ) {}
}
