import { createHmac, randomBytes } from 'node:crypto'
import { textsOf, type ConfigValue } from '@signalbox/contract'
import { glanceAt, glanceLength } from './glance.ts'
import { writtenForms, type WrittenForm } from './written-forms.ts'

/** Describes one written form of a secret, recognisable but not readable. */
export interface Fingerprint {
  readonly name: string
  readonly form: WrittenForm
  /** In UTF-16 units. */
  readonly length: number
  /** Holds 16 bits of the beginning, which rule out almost every position in a file in one step. */
  readonly glance: number
  /** Holds 128 bits of the HMAC-SHA-256 of the whole. */
  readonly digest: string
}

/**
 * Describes the fingerprints of secrets, which identify the values without containing them. They are plain data, so
 * that they can be created where the secrets are and used elsewhere. A guess can be tested against them: protect them
 * like hashed passwords.
 */
export interface Fingerprints {
  /** Holds the key of the digests: 16 random bytes in base64url. */
  readonly salt: string
  readonly fingerprints: readonly Fingerprint[]
  /** Names the secrets that are not searched for, because ordinary text could equal them. */
  readonly tooPlain: readonly string[]
}

/** Returns the fingerprints of secrets by key name. Example: `fingerprintSecrets({ stripeKey: 'sk_live_…' })`. */
export function fingerprintSecrets(
  secrets: Readonly<Record<string, ConfigValue>>,
  salt: string = randomBytes(16).toString('base64url'),
): Fingerprints {
  const entries = Object.entries(secrets).flatMap(([name, value]) =>
    textsOf(value).map((text) => [name, text] as const),
  )
  const searched = new Set(entries.flatMap(([name, text]) => (isUnmistakable(text) ? [name] : [])))
  return {
    salt,
    fingerprints: entries
      .filter(([, value]) => isUnmistakable(value))
      .flatMap(([name, value]) =>
        writtenForms(value).map(({ form, text }) => ({
          name,
          form,
          length: text.length,
          glance: glanceAt(text, salt),
          digest: digestOf(text, salt),
        })),
      ),
    tooPlain: Object.keys(secrets).filter((name) => !searched.has(name)),
  }
}

/** Returns the fingerprint of a text: 128 bits of HMAC-SHA-256, base64url. */
export function digestOf(text: string, salt: string): string {
  return createHmac('sha256', salt).update(text).digest().subarray(0, 16).toString('base64url')
}

/**
 * Returns whether a value is unlikely to be in a file by chance: `production` and `3000` are in every bundle. It
 * needs 8 characters, and 24 bits by the frequencies of its letters; 16 characters where all are of one kind.
 */
function isUnmistakable(value: string): boolean {
  if (value.length < glanceLength || (/^([a-z]+|[A-Z]+|\d+)$/.test(value) && value.length < 16)) {
    return false
  }
  const counts = new Map<string, number>()
  for (const letter of value) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  const bits = [...counts.values()].reduce(
    (sum, count) => sum - count * Math.log2(count / value.length),
    0,
  )
  return bits >= 24
}
