// CRC-32C (Castagnoli, RFC 3720), with the instruction that nearly all processors have for it.

#ifndef STRATA_CRC32C_H
#define STRATA_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/// The checksum of the bytes so far, of which there were none at first, with its checksum 0, and of further ones.
uint32_t strata_crc32c(uint32_t checksum, const void *bytes, size_t count);

#endif
