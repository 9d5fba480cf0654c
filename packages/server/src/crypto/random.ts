import { randomBytes } from 'node:crypto'

const poolBytes = 8192
let pool = Buffer.alloc(0)
let used = 0

/**
 * Returns `length` unpredictable bytes, in a buffer of their own. They come from a pool: a call of the operating system
 * for each byte string would cost ten times as much.
 */
export function takeRandomBytes(length: number): Buffer {
  if (length > poolBytes) return randomBytes(length)
  if (used + length > pool.length) {
    pool = randomBytes(poolBytes)
    used = 0
  }
  const taken = Buffer.from(pool.subarray(used, used + length))
  pool.fill(0, used, used + length)
  used += length
  return taken
}

/** Returns an unpredictable number from 0 to below 1. */
export function takeRandomFraction(): number {
  return takeRandomBytes(4).readUInt32BE() / 2 ** 32
}
