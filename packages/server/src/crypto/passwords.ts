import { scrypt, timingSafeEqual } from 'node:crypto'
import { takeRandomBytes } from './random.ts'

interface Cost {
  /** Memory and time: 2^15 blocks of 1 KiB take about 32 MiB and 60 ms. */
  readonly logN: number
  readonly r: number
  readonly p: number
}

/** OWASP Password Storage Cheat Sheet, scrypt: N=2^15, r=8, p=3 or more memory; p=1 here because sign-in is rate limited. */
const currentCost: Cost = { logN: 15, r: 8, p: 1 }
const saltBytes = 16
const hashBytes = 32
const storedPattern = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]{22})\$([\w-]{43})$/

/** Hashes a password for storing. Example: `scrypt$15$8$1$<salt>$<hash>`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = takeRandomBytes(saltBytes)
  const hash = await derive(password, salt, currentCost)
  const { logN, r, p } = currentCost
  return `scrypt$${logN}$${r}$${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

/**
 * Returns whether `password` matches the stored one. For an unknown user pass `undefined`: the work is the same, so the
 * time does not reveal who exists.
 */
export async function verifyPassword(
  stored: string | undefined,
  password: string,
): Promise<boolean> {
  const [, logN, r, p, salt, hash] = storedPattern.exec(stored ?? '') ?? []
  if (salt === undefined || hash === undefined) {
    await derive(password, Buffer.alloc(saltBytes), currentCost)
    return false
  }
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) }
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost)
  return timingSafeEqual(derived, Buffer.from(hash, 'base64url'))
}

/** Normalizes a password with NFKC (NIST SP 800-63B §3.1.1.2), because Unicode spells some characters in two ways. */
function derive(password: string, salt: Buffer, { logN, r, p }: Cost): Promise<Buffer> {
  const options = { N: 2 ** logN, r, p, maxmem: 256 * 2 ** logN * r }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, hashBytes, options, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}
