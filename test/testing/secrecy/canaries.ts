import { randomInt } from 'node:crypto'

/** Names the kind of secret that a canary represents, which decides where it may never appear. */
export type CanaryKind =
  /** The value or default of a secret key. */
  | 'value'
  /** A token, password or key that proves who somebody is. */
  | 'credential'
  /** The name of a secret key: hidden from browser keys alone. */
  | 'name'

export interface Canary {
  readonly kind: CanaryKind
  /** Says where it was put. */
  readonly label: string
  readonly text: string
}

/** Every canary of a run. */
export interface Canaries {
  /** Makes a text that stands nowhere else in the world. */
  make(kind: CanaryKind, label: string): string
  /** Adds what the service made itself: the part of it that is secret. */
  add(canary: Canary): void
  readonly all: readonly Canary[]
  of(...kinds: CanaryKind[]): Canary[]
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Opens an empty collection. */
export function createCanaries(): Canaries {
  const all: Canary[] = []
  return {
    all,
    make(kind, label) {
      const text = `K${Array.from({ length: 23 }, () => letters[randomInt(letters.length)]).join('')}`
      all.push({ kind, label, text })
      return text
    },
    add: (canary) => all.push(canary),
    of: (...kinds) => all.filter(({ kind }) => kinds.includes(kind)),
  }
}

/** Lists how a secret may be written without being recognised at a glance. */
export const disguises: Readonly<Record<string, (text: string) => Buffer>> = {
  'as it is': (text) => Buffer.from(text),
  reversed: (text) => Buffer.from(text).reverse(),
  'in hex': (text) => Buffer.from(Buffer.from(text).toString('hex')),
  'in capital hex': (text) => Buffer.from(Buffer.from(text).toString('hex').toUpperCase()),
  'in UTF-16': (text) => Buffer.from(text, 'utf16le'),
  'as percent-encoded bytes': (text) => percent(text, '%'),
  'as JSON escapes': (text) => percent(text, String.raw`\u00`),
  ...Object.fromEntries(
    [0, 1, 2].flatMap((offset) => [
      [`in base64 at ${offset}`, (text: string) => base64(text, offset, 'base64')],
      [`in base64url at ${offset}`, (text: string) => base64(text, offset, 'base64url')],
    ]),
  ),
}

function percent(text: string, prefix: string): Buffer {
  return Buffer.from(
    [...Buffer.from(text)].map((byte) => prefix + byte.toString(16).padStart(2, '0')).join(''),
  )
}

/** The characters of base64 that are the same whatever stands before and after `text`. */
function base64(text: string, offset: number, encoding: 'base64' | 'base64url'): Buffer {
  const whole = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)])
  const encoded = whole.toString(encoding).replace(/=+$/, '')
  const last = whole.length % 3 === 0 ? encoded.length : encoded.length - 1
  return Buffer.from(encoded.slice(Math.ceil((offset * 4) / 3), last))
}

/** A canary that was found where it must not be. */
export interface Sighting {
  readonly label: string
  readonly kind: CanaryKind
  readonly disguise: string
  readonly at: number
}

interface Needle {
  readonly canary: Canary
  readonly disguise: string
  readonly bytes: Buffer
}

/** Looks for every canary in every disguise in one pass over the bytes. */
export type Sweep = (haystack: Buffer) => Sighting[]

const slots = 1 << 20
const slotOf = (word: number) => Math.imul(word, 0x9e3779b1) >>> 12

/** Makes a sweep. The first four bytes of each needle are looked up in a table; few places get any further. */
export function createSweep(canaries: readonly Canary[]): Sweep {
  const table = new Uint8Array(slots)
  const bySlot = new Map<number, Needle[]>()
  for (const canary of canaries) {
    for (const [disguise, encode] of Object.entries(disguises)) {
      const bytes = encode(canary.text)
      const slot = slotOf(bytes.readUInt32LE(0))
      table[slot] = 1
      bySlot.set(slot, [...(bySlot.get(slot) ?? []), { canary, disguise, bytes }])
    }
  }
  return (haystack) => {
    const sightings: Sighting[] = []
    let word = 0
    for (let at = 0; at < haystack.length; at++) {
      // The last four bytes, the first of them lowest.
      word = (word >>> 8) | ((haystack[at] ?? 0) << 24)
      if (at < 3 || table[slotOf(word)] === 0) continue
      const start = at - 3
      for (const { canary, disguise, bytes } of bySlot.get(slotOf(word)) ?? []) {
        if (haystack.subarray(start, start + bytes.length).equals(bytes)) {
          sightings.push({ label: canary.label, kind: canary.kind, disguise, at: start })
        }
      }
    }
    return sightings
  }
}

/** Sightings for a person to read, each once. */
export function describeSightings(where: string, sightings: readonly Sighting[]): string[] {
  return [
    ...new Set(
      sightings.map(({ kind, label, disguise }) => `${where}: ${kind} ${label} ${disguise}`),
    ),
  ]
}
