import type { KeyNotes, Tier } from './config.ts'
import { limits } from './limits.ts'
import { controlsPrograms, findPublishedSecret, variablePattern } from './variable-names.ts'

export type KeyNote = keyof KeyNotes

/** Lists every note. */
export const keyNotes = [
  'owner',
  'tags',
  'expires',
  'killSwitch',
  'expectedToDiffer',
  'variable',
] as const satisfies KeyNote[]

const ofFlagsOnly: ReadonlySet<KeyNote> = new Set(['expires', 'killSwitch'])

/** Returns whether a key of a tier can have a note: only a flag ends, and only a flag is turned. */
export function fitsTier(note: KeyNote, tier: Tier): boolean {
  return tier === 'featureFlags' || !ofFlagsOnly.has(note)
}

/** Describes a violation of a note, with the path to it below the key. */
export interface NoteViolation {
  readonly path: readonly [note: KeyNote, ...at: number[]]
  readonly code: 'validation_failed' | 'tier_mismatch'
  readonly detail: string
}

/** Lists the violations in the notes of a key of a tier. */
export function findNoteViolations(notes: KeyNotes, tier: Tier): NoteViolation[] {
  const { owner = '', tags = [], expires = '', killSwitch = false } = notes
  return [
    ...(owner === '' ? [] : ownerViolations(owner)),
    ...tagViolations(tags),
    ...(expires === '' || isCalendarDay(expires) ? [] : [noDay]),
    ...(expires === '' || fitsTier('expires', tier) ? [] : [ofAFlag('expires', 'has an end date')]),
    ...(killSwitch && !fitsTier('killSwitch', tier)
      ? [ofAFlag('killSwitch', 'can be a kill switch')]
      : []),
    ...variableViolations(notes, tier),
  ]
}

const noDay: NoteViolation = {
  path: ['expires'],
  code: 'validation_failed',
  detail: 'Use an existing day as YYYY-MM-DD, such as 2027-01-31.',
}

function ofAFlag(note: KeyNote, what: string): NoteViolation {
  const detail = `Only a feature flag ${what}. Leave it out, or declare the key as a flag.`
  return { path: [note], code: 'tier_mismatch', detail }
}

function ownerViolations(owner: string): NoteViolation[] {
  const most = limits.ownerCharacters
  if (isLine(owner, most)) return []
  const detail = `Name a person or a team in 1 to ${most} characters on one line, without spaces around it.`
  return [{ path: ['owner'], code: 'validation_failed', detail }]
}

function variableViolations({ variable = '' }: KeyNotes, tier: Tier): NoteViolation[] {
  if (variable === '') return []
  const detail = variablePattern.test(variable)
    ? findForbidden(variable, tier)
    : 'Use 1 to 128 letters, digits, "_", "." or "-", beginning with a letter, a digit or "_".'
  return detail === undefined ? [] : [{ path: ['variable'], code: 'validation_failed', detail }]
}

function findForbidden(variable: string, tier: Tier): string | undefined {
  if (controlsPrograms(variable)) {
    return `${variable} could run code in the program that reads it. Name another variable.`
  }
  return findPublishedSecret({ name: variable, tier })
}

function tagViolations(tags: readonly string[]): NoteViolation[] {
  if (tags.length > limits.tagsPerKey) {
    const detail = `A key has at most ${limits.tagsPerKey} tags. Take ${tags.length - limits.tagsPerKey} away.`
    return [{ path: ['tags'], code: 'validation_failed', detail }]
  }
  const lowered = tags.map((tag) => tag.toLowerCase())
  return tags.flatMap((tag, at): NoteViolation[] => {
    const most = limits.tagCharacters
    if (!isLine(tag, most) || tag.includes(',')) {
      const detail = `A tag has 1 to ${most} characters on one line, without a comma and without spaces around it.`
      return [{ path: ['tags', at], code: 'validation_failed', detail }]
    }
    if (lowered.indexOf(tag.toLowerCase()) === at) return []
    const detail = `The tag ${tag} is there twice. Take one away.`
    return [{ path: ['tags', at], code: 'validation_failed', detail }]
  })
}

function isLine(text: string, charactersMax: number): boolean {
  const { length } = Array.from(text)
  return length > 0 && length <= charactersMax && text.trim() === text && !/\p{Cc}/u.test(text)
}

/** Returns whether a text is an existing day. Example: `2027-01-31`. */
export function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/** Returns whether the day on which a flag should be gone is over, in UTC. */
export function isOverdue({ expires }: Pick<KeyNotes, 'expires'>, now: Date): boolean {
  return expires !== undefined && expires !== '' && expires < now.toISOString().slice(0, 10)
}
