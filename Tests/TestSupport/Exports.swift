// Code that the tests share with the kit for backends is in StrataTestKit.
@_exported public import StrataTestKit
