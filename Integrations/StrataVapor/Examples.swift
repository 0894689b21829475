// The declarations that the examples in comments use without showing them. They only need to type-check.

import Strata
import StrataRedis
import StrataVapor
import Vapor

func any<T>(_ type: T.Type = T.self) -> T { fatalError("an example was run") }

var redis: RedisClient { any() }
var store: RedisStorage<String> { any() }
var app: Application { any() }
var ada: User { any() }
