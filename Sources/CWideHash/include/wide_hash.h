// XXH3 of Yann Collet in its form with 64 bits, for inputs of more than 240 bytes, with the widest instructions that
// the processor has. Without a seed, and with the key that is its own.

#ifndef STRATA_WIDE_HASH_H
#define STRATA_WIDE_HASH_H

#include <stddef.h>
#include <stdint.h>

/// Makes the eight lanes what they are before any input.
void strata_wide_hash_begin(uint64_t lanes[8]);

/// Takes in blocks of 1024 bytes. The last byte of the input must not be among them.
void strata_wide_hash_absorb(uint64_t lanes[8], const void *bytes, size_t blocks);

/// The hash of an input, all of which is in memory, and which has been taken in up to an offset, a multiple of 1024:
/// less than 1024 bytes before the last byte.
uint64_t strata_wide_hash_finish(uint64_t lanes[8], const void *input, size_t length, size_t offset);

#endif

