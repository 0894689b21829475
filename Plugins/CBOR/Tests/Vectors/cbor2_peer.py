"""Reads CBOR by cbor2, and writes what it has read again.

    cbor2_peer.py <hexadecimal digits> ...

Prints two lines for each item: the item as Python shows it, and the canonical encoding of cbor2 in hexadecimal digits.
"""
import sys

import cbor2

for digits in sys.argv[1:]:
    item = cbor2.loads(bytes.fromhex(digits))
    print(ascii(item))
    print(cbor2.dumps(item, canonical=True).hex())
