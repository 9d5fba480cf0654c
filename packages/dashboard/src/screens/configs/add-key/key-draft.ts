import {
  findNoteViolations,
  findKeyNameViolation,
  findVariantViolations,
  type ConfigValue,
  type FlagVariant,
  type KeyDefinition,
  type KeyNotes,
  type Tier,
  type ValueType,
} from '@signalbox/contract'
import { readTags } from '../notes/describe-notes.ts'
import { parseValue } from '../parse-value.ts'
import { findLimitViolation } from './find-limit-violation.ts'
import { findLimit, noLimits, readLimits, type LimitName, type LimitTexts } from './limits.ts'

/** Describes a key while it is being entered: every field as it was typed. */
export interface KeyDraft {
  readonly name: string
  readonly tier: Tier
  readonly type: ValueType
  readonly isRequired: boolean
  readonly description: string
  /** Holds the default as text. Empty: none. */
  readonly defaultText: string
  readonly limits: LimitTexts
  readonly isWhole: boolean
  /** Says that rules may serve other values. It counts for a public key. */
  readonly isTargeted: boolean
  /** Lists the variants of a flag. Empty: it is on or off. */
  readonly variants: readonly FlagVariant[]
  /** Maps the id of an environment to its value as text. Empty, and left out: none. */
  readonly values: Readonly<Record<string, string>>
  readonly owner: string
  /** Holds the tags with commas between them. */
  readonly tagsText: string
  /** Holds the day on which a flag should be gone, or a secret ends. Empty: none. */
  readonly expires: string
  /** Holds the days between two values of a secret as text. Empty: none. */
  readonly rotateEveryText: string
  readonly runbook: string
  readonly isKillSwitch: boolean
  /** Says that no open value is a secret, although one has the form of it. `undefined`: nobody has asked. */
  readonly isPlain: boolean | undefined
}

/** Returns an empty draft. */
export function freshDraft(tier: Tier): KeyDraft {
  return {
    name: '',
    tier,
    type: tier === 'featureFlags' ? 'boolean' : 'string',
    isRequired: tier !== 'featureFlags',
    description: '',
    defaultText: tier === 'featureFlags' ? 'false' : '',
    limits: noLimits,
    isWhole: false,
    isTargeted: false,
    variants: [],
    values: {},
    owner: '',
    tagsText: '',
    expires: '',
    rotateEveryText: '',
    runbook: '',
    isKillSwitch: false,
    isPlain: undefined,
  }
}

/** Returns the draft with another tier. A flag is a boolean, and a secret has no default that is entered here. */
export function withTier(draft: KeyDraft, tier: Tier): KeyDraft {
  const { name, description, owner, tagsText } = draft
  if (tier === 'featureFlags' || draft.tier === 'featureFlags')
    return { ...freshDraft(tier), name, description, owner, tagsText }
  // A value that was typed as a secret is not carried over: it could become public by one press.
  const values = draft.tier === 'secret' ? {} : draft.values
  const defaultText = tier === 'secret' ? '' : draft.defaultText
  return { ...draft, tier, defaultText, values, isPlain: undefined }
}

/** Returns the draft with another type, without values of the former one. */
export function withType(draft: KeyDraft, type: ValueType): KeyDraft {
  return { ...draft, type, defaultText: '', values: {}, isPlain: undefined }
}

/** Names a field of the form for a key. */
export type DraftField =
  | 'name'
  | 'default'
  | 'variants'
  | `variant ${number}`
  | NoteField
  | LimitName
  | `value of ${string}`

const noteFields = ['owner', 'tags', 'expires', 'rotateEvery', 'runbook'] as const
type NoteField = (typeof noteFields)[number]

/**
 * Returns the field that a server's error is about, by its pointer into the definition or into the values, which are those of
 * `environmentIds`. Errors of the whole key belong to its name. `undefined`: no field is about it.
 */
export function toDraftField(
  pointer: string,
  name: string,
  environmentIds: readonly string[],
): DraftField | undefined {
  const value = /^\/values\/(\d+)\//.exec(pointer)
  const environmentId = value === null ? undefined : environmentIds[Number(value[1])]
  if (environmentId !== undefined) return `value of ${environmentId}`
  const at = `/schema/${name}`
  if (pointer === at || pointer === `${at}/tier`) return 'name'
  if (pointer === `${at}/default`) return 'default'
  if (pointer === `${at}/variants`) return 'variants'
  if (pointer.startsWith(`${at}/variants/`)) {
    return `variant ${Number.parseInt(pointer.slice(`${at}/variants/`.length), 10)}`
  }
  const note = noteFields.find((field) => pointer.startsWith(`${at}/${field}`))
  if (note !== undefined) return note
  const constraint = pointer.startsWith(`${at}/constraints/`)
    ? pointer.slice(`${at}/constraints/`.length).split('/')[0]
    : undefined
  return findLimit(constraint)
}

/** Holds the definition of a draft, or the errors by field. The server checks what it means. */
export type DraftResult =
  | {
      readonly ok: true
      readonly name: string
      readonly definition: KeyDefinition
      /** Maps the ids of environments to their values. */
      readonly values: ReadonlyMap<string, ConfigValue>
      readonly isPlain: boolean
    }
  | { readonly ok: false; readonly errors: ReadonlyMap<DraftField, string> }

/** Reads a draft. `existingNames` are refused as names. */
export function readDraft(draft: KeyDraft, existingNames: readonly string[]): DraftResult {
  const { tier, type, isRequired } = draft
  const errors = new Map<DraftField, string>()
  const name = draft.name.trim()
  const nameError = findNameError(name, existingNames)
  if (nameError !== undefined) errors.set('name', nameError)
  const preset = draft.defaultText === '' ? undefined : parseValue(draft.defaultText, type)
  const constraints = readLimits(type, draft, errors)
  const presetViolation =
    preset?.ok === true ? findLimitViolation(preset.value, constraints) : preset?.error
  if (presetViolation !== undefined) errors.set('default', presetViolation)
  const notes = readNotes(draft, errors)
  const targeting = readTargeting(draft, errors)
  const values = readValues(draft, constraints, errors)
  if (errors.size > 0) return { ok: false, errors }
  const description = draft.description.trim()
  return {
    ok: true,
    name,
    values,
    isPlain: draft.isPlain === true,
    definition: {
      type,
      tier,
      required: isRequired,
      ...(description !== '' && { description }),
      ...(preset?.ok === true && { default: preset.value }),
      ...(constraints.size > 0 && { constraints: Object.fromEntries(constraints) }),
      ...targeting,
      ...notes,
    },
  }
}

/** Returns what rules may serve beside the value: other values of a public key, or the variants of a flag. */
function readTargeting(
  { tier, isTargeted, variants }: KeyDraft,
  errors: Map<DraftField, string>,
): Pick<KeyDefinition, 'targeted' | 'variants'> {
  if (tier === 'public') return isTargeted ? { targeted: true } : {}
  if (tier !== 'featureFlags' || variants.length === 0) return {}
  for (const { index, detail } of findVariantViolations(variants)) {
    errors.set(index === undefined ? 'variants' : `variant ${index}`, detail)
  }
  return { variants }
}

/** Returns the notes that were entered, as far as a key of the tier has them. */
function readNotes(draft: KeyDraft, errors: Map<DraftField, string>): KeyNotes {
  const owner = draft.owner.trim()
  const tags = readTags(draft.tagsText)
  const notes = {
    ...(owner !== '' && { owner }),
    ...(tags.length > 0 && { tags }),
    ...readNotesOfTier(draft),
  }
  for (const { path, detail } of findNoteViolations(notes, draft.tier)) {
    const field = noteFields.find((name) => name === path[0])
    if (field !== undefined) errors.set(field, detail)
  }
  return notes
}

function readNotesOfTier({
  tier,
  expires,
  rotateEveryText,
  runbook,
  isKillSwitch,
}: KeyDraft): KeyNotes {
  const end = expires === '' ? {} : { expires }
  if (tier === 'featureFlags') return { ...end, ...(isKillSwitch && { killSwitch: true }) }
  if (tier === 'public') return {}
  return {
    ...end,
    ...(rotateEveryText !== '' && { rotateEvery: Number(rotateEveryText) }),
    ...(runbook.trim() !== '' && { runbook: runbook.trim() }),
  }
}

function readValues(
  { type, values }: KeyDraft,
  constraints: ReadonlyMap<string, unknown>,
  errors: Map<DraftField, string>,
): ReadonlyMap<string, ConfigValue> {
  const read = new Map<string, ConfigValue>()
  for (const [environmentId, text] of Object.entries(values)) {
    if (text === '') continue
    const parsed = parseValue(text, type)
    const violation = parsed.ok ? findLimitViolation(parsed.value, constraints) : parsed.error
    if (violation !== undefined) errors.set(`value of ${environmentId}`, violation)
    else if (parsed.ok) read.set(environmentId, parsed.value)
  }
  return read
}

function findNameError(name: string, existingNames: readonly string[]): string | undefined {
  const twin = existingNames.find((one) => one.toLowerCase() === name.toLowerCase())
  return twin === undefined
    ? findKeyNameViolation(name)
    : `This schema already has the key ${twin}.`
}
