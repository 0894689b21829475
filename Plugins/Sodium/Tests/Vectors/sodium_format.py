"""Reads and writes the wire format of StrataSodium, with PyNaCl alone.

As a program it reads a list of JSON objects from standard input, each with an "action" of "encrypt" or "decrypt". It
writes the list back with "sealed" or "plain" filled in. If a value cannot be decrypted, "plain" is null. Bytes are in
hexadecimal digits.
"""

import hashlib
import json
import struct
import sys

from nacl import bindings, exceptions, utils

MARK = 0xF5
SECRET_KEY, SEALED_BOX, STREAM = 1, 2, 3
CHUNK = 65536


def key_id(key):
    return hashlib.blake2b(b"strata key id", key=key, digest_size=16).digest()[:8]


def public_key_id(public):
    return hashlib.blake2b(b"strata public key id" + public, digest_size=16).digest()[:8]


def identity(item):
    """Returns the identity that a ciphertext is bound to: nothing, a text, or an entry of a store."""
    if "domain" in item:
        domain = item["domain"].encode()
        return b"\x02" + struct.pack("<Q", len(domain)) + domain + item["entry"].encode()
    if "identity" in item:
        return b"\x01" + item["identity"].encode()
    return b"\x00"


def encrypt_secret_key(item, plain, bound):
    key = bytes.fromhex(item["key"])
    nonce = bytes.fromhex(item["nonce"]) if "nonce" in item else utils.random(24)
    head = bytes([MARK, SECRET_KEY]) + key_id(key)
    return head + nonce + bindings.crypto_aead_xchacha20poly1305_ietf_encrypt(plain, head + bound, nonce, key)


def decrypt_secret_key(item, sealed, bound):
    key = bytes.fromhex(item["key"])
    head, nonce, text = sealed[:10], sealed[10:34], sealed[34:]
    assert head == bytes([MARK, SECRET_KEY]) + key_id(key)
    return bindings.crypto_aead_xchacha20poly1305_ietf_decrypt(text, head + bound, nonce, key)


def sealed_box_key(shared, ephemeral, public):
    return hashlib.blake2b(b"strata sealed box" + shared + ephemeral + public, digest_size=32).digest()


def encrypt_sealed_box(item, plain, bound):
    public = bindings.crypto_scalarmult_base(bytes.fromhex(item["key"]))
    secret = bytes.fromhex(item["nonce"]) if "nonce" in item else utils.random(32)
    ephemeral = bindings.crypto_scalarmult_base(secret)
    key = sealed_box_key(bindings.crypto_scalarmult(secret, public), ephemeral, public)
    head = bytes([MARK, SEALED_BOX]) + public_key_id(public) + ephemeral
    return head + bindings.crypto_aead_xchacha20poly1305_ietf_encrypt(plain, head + bound, bytes(24), key)


def decrypt_sealed_box(item, sealed, bound):
    secret = bytes.fromhex(item["key"])
    public = bindings.crypto_scalarmult_base(secret)
    head, ephemeral, text = sealed[:42], sealed[10:42], sealed[42:]
    assert head[:10] == bytes([MARK, SEALED_BOX]) + public_key_id(public)
    key = sealed_box_key(bindings.crypto_scalarmult(secret, ephemeral), ephemeral, public)
    return bindings.crypto_aead_xchacha20poly1305_ietf_decrypt(text, head + bound, bytes(24), key)


def encrypt_stream(item, plain, bound):
    key = bytes.fromhex(item["key"])
    state = bindings.crypto_secretstream_xchacha20poly1305_state()
    header = bindings.crypto_secretstream_xchacha20poly1305_init_push(state, key)
    sealed = bytes([MARK, STREAM]) + key_id(key) + header
    bound = sealed + bound
    chunks = [plain[i : i + CHUNK] for i in range(0, len(plain), CHUNK)] or [b""]
    for number, chunk in enumerate(chunks):
        tag = 3 if number == len(chunks) - 1 else 0
        sealed += bindings.crypto_secretstream_xchacha20poly1305_push(state, chunk, bound, tag)
        bound = None
    return sealed


def decrypt_stream(item, sealed, bound):
    key = bytes.fromhex(item["key"])
    assert sealed[:10] == bytes([MARK, STREAM]) + key_id(key)
    state = bindings.crypto_secretstream_xchacha20poly1305_state()
    bindings.crypto_secretstream_xchacha20poly1305_init_pull(state, sealed[10:34], key)
    bound, place, plain, tag = sealed[:34] + bound, 34, b"", 0
    while tag != 3:
        chunk = sealed[place : place + CHUNK + 17]
        text, tag = bindings.crypto_secretstream_xchacha20poly1305_pull(state, chunk, bound)
        bound, place, plain = None, place + len(chunk), plain + text
    assert place == len(sealed)
    return plain


METHODS = {
    "secret key": (encrypt_secret_key, decrypt_secret_key),
    "sealed box": (encrypt_sealed_box, decrypt_sealed_box),
    "stream": (encrypt_stream, decrypt_stream),
}


def answer(item):
    encrypt, decrypt = METHODS[item["method"]]
    if item["action"] == "encrypt":
        item["sealed"] = encrypt(item, bytes.fromhex(item["plain"]), identity(item)).hex()
    else:
        try:
            item["plain"] = decrypt(item, bytes.fromhex(item["sealed"]), identity(item)).hex()
        except (exceptions.CryptoError, AssertionError, ValueError):
            item["plain"] = None
    return item


if __name__ == "__main__":
    json.dump([answer(item) for item in json.load(sys.stdin)], sys.stdout, indent=1)
