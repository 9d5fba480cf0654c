import { toUtf8 } from '../utf8.ts'

/**
 * Returns the CRC-32 (IEEE 802.3) of a text in UTF-8, as Go's `crc32.ChecksumIEEE` does: a whole number from 0 to
 * 4,294,967,295.
 */
export function crc32(text: string): number {
  let crc = 0xffffffff
  for (const byte of toUtf8(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

/** Returns the FNV-1a of a text in UTF-8, with 32 bits: a whole number from 0 to 4,294,967,295. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of toUtf8(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}
