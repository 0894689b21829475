// What the tests share with the kit for backends stands there.
@_exported public import StrataTestKit
