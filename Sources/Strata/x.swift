public import StrataCore
