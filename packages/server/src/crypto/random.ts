import { randomBytes } from 'node:crypto'

const poolBytes = 8192
let pool = Buffer.alloc(0)
let used = 0

/**
 * Returns `length` unpredictable bytes, in a buffer of their own.
 * Taken from a pool: one call of the operating system per byte string costs ten times as much as the bytes.
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
