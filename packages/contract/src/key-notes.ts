import type { KeyNotes, Tier } from './config.ts'
import { limits } from './limits.ts'
import { isAbsoluteUrl } from './constraint-rules.ts'
import { controlsPrograms, findPublishedSecret, variablePattern } from './variable-names.ts'

export type KeyNote = keyof KeyNotes

/** Lists every note. */
export const keyNotes = [
  'owner',
  'tags',
  'expires',
  'killSwitch',
  'rotateEvery',
  'runbook',
  'expectedToDiffer',
  'variable',
] as const satisfies KeyNote[]

const tiersOfNotes: Partial<Readonly<Record<KeyNote, readonly Tier[]>>> = {
  expires: ['featureFlags', 'secret'],
  killSwitch: ['featureFlags'],
  rotateEvery: ['secret'],
  runbook: ['secret'],
}

/** Returns whether a key of a tier can have a note: only flags and secrets end, only a flag is turned, only a secret is replaced. */
export function fitsTier(note: KeyNote, tier: Tier): boolean {
  return tiersOfNotes[note]?.includes(tier) ?? true
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
    ...(expires === '' ? [] : endViolations(expires, tier)),
    ...(killSwitch && !fitsTier('killSwitch', tier) ? [turnsNot] : []),
    ...secretViolations(notes, tier),
    ...variableViolations(notes, tier),
  ]
}

function endViolations(expires: string, tier: Tier): NoteViolation[] {
  return [
    ...(isCalendarDay(expires) ? [] : [noDay]),
    ...(fitsTier('expires', tier) ? [] : [endsNot]),
  ]
}

const noDay: NoteViolation = {
  path: ['expires'],
  code: 'validation_failed',
  detail: 'Use an existing day as YYYY-MM-DD, such as 2027-01-31.',
}

const endsNot: NoteViolation = {
  path: ['expires'],
  code: 'tier_mismatch',
  detail:
    'Only a feature flag or a secret has an end date. Leave it out, or declare the key as one of them.',
}

const turnsNot: NoteViolation = {
  path: ['killSwitch'],
  code: 'tier_mismatch',
  detail: 'Only a feature flag can be a kill switch. Leave it out, or declare the key as a flag.',
}

function ofASecret(note: 'rotateEvery' | 'runbook'): NoteViolation {
  const detail = 'Only a secret is rotated. Leave it out, or declare the key as a secret.'
  return { path: [note], code: 'tier_mismatch', detail }
}

function secretViolations({ rotateEvery = 0, runbook = '' }: KeyNotes, tier: Tier) {
  return [
    ...(rotateEvery === 0 ? [] : rotationViolations(rotateEvery, tier)),
    ...(runbook === '' ? [] : runbookViolations(runbook, tier)),
  ]
}

function rotationViolations(days: number, tier: Tier): NoteViolation[] {
  if (!fitsTier('rotateEvery', tier)) return [ofASecret('rotateEvery')]
  const most = limits.rotateEveryDays
  if (Number.isInteger(days) && days >= 1 && days <= most) return []
  const detail = `Use a whole number of days from 1 to ${most}, such as 90. 0 means never.`
  return [{ path: ['rotateEvery'], code: 'validation_failed', detail }]
}

function runbookViolations(runbook: string, tier: Tier): NoteViolation[] {
  if (!fitsTier('runbook', tier)) return [ofASecret('runbook')]
  const isPage = /^https?:\/\/[^\s/@]+(?:\/\S*)?$/.test(runbook) && isAbsoluteUrl(runbook)
  if (isPage && runbook.length <= limits.runbookCharacters) return []
  const detail = `Use the address of a page, such as https://wiki.example.com/rotate-stripe, with at most ${limits.runbookCharacters} characters and no password.`
  return [{ path: ['runbook'], code: 'validation_failed', detail }]
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

/** Lists how many days before a secret is due people are told. 0: it is. */
export const secretNoticeDays = [14, 3, 0] as const

/** Says when the value of a secret should be another one, and why. */
export interface SecretDue {
  /** Holds milliseconds since 1970. */
  readonly dueAt: number
  readonly reason: 'rotation' | 'end'
}

const dayMs = 86_400_000

/**
 * Returns when a secret is due whose value was set at a moment: `rotateEvery` days after it, or on the day on which it ends,
 * whichever is first. `undefined`: never.
 */
export function findSecretDue(
  { rotateEvery = 0, expires = '' }: Pick<KeyNotes, 'rotateEvery' | 'expires'>,
  setAt: number,
): SecretDue | undefined {
  const rotation = rotateEvery > 0 ? setAt + rotateEvery * dayMs : undefined
  const end = isCalendarDay(expires) ? Date.parse(`${expires}T00:00:00Z`) : undefined
  if (rotation === undefined && end === undefined) return undefined
  return rotation === undefined || (end !== undefined && end <= rotation)
    ? { dueAt: end ?? 0, reason: 'end' }
    : { dueAt: rotation, reason: 'rotation' }
}

/** Returns the last of `secretNoticeDays` that has been reached; `undefined`: none yet. */
export function reachedNotice({ dueAt }: Pick<SecretDue, 'dueAt'>, now: Date): number | undefined {
  return secretNoticeDays.findLast((days) => now.getTime() >= dueAt - days * dayMs)
}
