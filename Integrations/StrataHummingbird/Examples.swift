// The declarations that the examples in comments use without showing them. They only need to type-check.

import Foundation
import HTTPTypes
import Hummingbird
import Strata
import StrataHummingbird
import StrataRedis

func any<T>(_ type: T.Type = T.self) -> T { fatalError("an example was run") }

struct User: Codable, Sendable {
  var name: String
}

var redis: RedisClient { any() }
var router: Router<BasicRequestContext> { any() }
var persist: StrataPersistDriver<RedisStorage<String>> { any() }
var user: User { any() }
var changed: User { any() }
func news() -> ByteBuffer { any() }
