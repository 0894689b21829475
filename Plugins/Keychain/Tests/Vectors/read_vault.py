"""Reads a vault by the README's description of its file, with PyNaCl and without any code of Strata.

    read_vault.py <vault> key <hexadecimal digits>
    read_vault.py <vault> passphrase <text>

Prints a line for each secret: the service, the account, the seconds since 1970 at which it expires, the secret in
hexadecimal digits.
"""
import struct
import sys

from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_decrypt as decrypt
from nacl.encoding import RawEncoder
from nacl.hash import blake2b
from nacl.pwhash import argon2id


def keyed(key, data):
    return blake2b(data, digest_size=32, key=key, encoder=RawEncoder)


path, kind, given = sys.argv[1:]
data = open(path, "rb").read()
assert data[:13] == b"Strata vault\x01"
passes, memory = struct.unpack_from("<QQ", data, 16)
salt = data[32:48]
if kind == "key":
    assert data[13] == 2
    opening = bytes.fromhex(given)
else:
    assert data[13] == 1
    opening = argon2id.kdf(32, given.encode(), salt, opslimit=passes, memlimit=memory)
header, file, names, boxes = (keyed(opening, salt + bytes([number])) for number in range(1, 5))
assert keyed(header, data[:64]) == data[64:96]
assert keyed(file, data[:-32]) == data[-32:]


def opened(box, part, id):
    return decrypt(box[24:], bytes([part]) + id, box[:24], boxes)


offset = 96
while offset < len(data) - 32:
    id = data[offset:offset + 32]
    name_size, secret_size = struct.unpack_from("<II", data, offset + 32)
    start = offset + 40
    name = opened(data[start:start + name_size], 1, id)
    secret = opened(data[start + name_size:start + name_size + secret_size], 2, id)
    offset = start + name_size + secret_size
    date, service_size = struct.unpack_from("<dI", name)
    assert keyed(names, name[8:]) == id
    service, account = name[12:12 + service_size].decode(), name[12 + service_size:].decode()
    print(service, account, date, secret.hex(), sep="\t")
