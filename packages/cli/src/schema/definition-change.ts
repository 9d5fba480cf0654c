import {
  describeVariants,
  keyNotes,
  type KeyDefinition,
  type KeyNotes,
  type Tier,
} from '@signalbox/contract'

/** Describes a key of a schema with all defaults filled in. */
export interface FullKey extends KeyNotes {
  readonly type: KeyDefinition['type']
  readonly tier: Tier
  readonly required: boolean
  readonly description: string
  readonly hasDefault: boolean
  /** Holds the default. `undefined` when there is none, or when it is a secret that this token may not see. */
  readonly default: KeyDefinition['default']
  readonly constraints: Readonly<Record<string, unknown>>
  readonly partial: boolean
  readonly targeted?: true
  readonly variants?: KeyDefinition['variants']
  /** Says that the dashboard declares the key, and no code. */
  readonly declaredIn?: 'dashboard'
  /** Says that the default was found by trying a missing value, because no JSON Schema tells it. */
  readonly isDefaultTried?: true
}

/** Describes how a key differs between the server and the definition. */
export type DefinitionChange =
  | { readonly kind: 'added'; readonly key: string; readonly after: FullKey }
  | { readonly kind: 'removed'; readonly key: string; readonly before: FullKey }
  | {
      readonly kind: 'changed'
      readonly key: string
      readonly before: FullKey
      readonly after: FullKey
      /** Describes the differences in words. Never the default of a secret. */
      readonly differences: readonly string[]
    }

/** Returns the changes from one definition to the other, key by key. Equal keys are left out. */
export function diffDefinitions(
  before: ReadonlyMap<string, FullKey>,
  after: ReadonlyMap<string, FullKey>,
): DefinitionChange[] {
  const names = [...after.keys(), ...[...before.keys()].filter((key) => !after.has(key))]
  return names.flatMap((key): DefinitionChange[] => {
    const old = before.get(key)
    const next = after.get(key)
    if (old === undefined) return next === undefined ? [] : [{ kind: 'added', key, after: next }]
    if (next === undefined) return [{ kind: 'removed', key, before: old }]
    const differences = differencesOf(old, next)
    return differences.length === 0
      ? []
      : [{ kind: 'changed', key, before: old, after: next, differences }]
  })
}

/** Describes a key of the dashboard that the definition now declares as well. Applications receive the same. */
const newlyInCode = 'declared in code from now on'

/** Lists the notes that no program reads. */
const unreadNotes = keyNotes.filter((note) => note !== 'variable')

/** Returns whether programs that read the key could notice a change. */
export function isNoticed(change: DefinitionChange): boolean {
  if (change.kind !== 'changed') return true
  const unnoticed = new Set([
    newlyInCode,
    ...noteDifferences(change.before, change.after, unreadNotes),
  ])
  return change.differences.some((each) => !unnoticed.has(each))
}

function differencesOf(before: FullKey, after: FullKey): string[] {
  return [
    before.type === after.type ? undefined : `type ${before.type} → ${after.type}`,
    before.tier === after.tier ? undefined : `tier ${before.tier} → ${after.tier}`,
    defaultDifference(before, after),
    before.required === after.required
      ? undefined
      : `${requiredWord(before)} → ${requiredWord(after)}`,
    ...constraintDifferences(before.constraints, after.constraints),
    before.description === after.description ? undefined : 'description',
    before.partial === after.partial ? undefined : partialDifference(after),
    before.targeted === after.targeted ? undefined : targetedDifference(after),
    variantsDifference(before, after),
    before.declaredIn === after.declaredIn ? undefined : newlyInCode,
    ...noteDifferences(before, after, keyNotes),
  ].filter((difference) => difference !== undefined)
}

/** Describes a key whose checks beyond its constraints are new in the definition, or are not in it. */
const partialDifference = ({ partial }: FullKey) =>
  partial ? 'checked in full only by the code' : 'no longer checked by code beyond its constraints'

const targetedDifference = ({ targeted }: FullKey) =>
  targeted === true
    ? 'targeted: rules may decide it'
    : 'not targeted any more: its rules are unused'

function variantsDifference(before: FullKey, after: FullKey): string | undefined {
  const [old, next] = [describeVariants(before.variants), describeVariants(after.variants)]
  return old === next ? undefined : `variants ${old} → ${next}`
}

const noteWords: Readonly<Record<keyof KeyNotes, string>> = {
  owner: 'owner',
  tags: 'tags',
  expires: 'end date',
  killSwitch: 'kill switch',
  rotateEvery: 'days between rotations',
  runbook: 'runbook',
  expectedToDiffer: 'expected to differ',
  variable: 'variable',
}

/** Describes the notes that the definition says and the server has otherwise. The others stay as they are stored. */
function noteDifferences(
  before: FullKey,
  after: FullKey,
  notes: readonly (keyof KeyNotes)[],
): string[] {
  return notes.flatMap((note) => {
    const next = after[note]
    const [old, said] = [renderNote(before[note]), renderNote(next)]
    return next === undefined || old === said ? [] : [`${noteWords[note]} ${old} → ${said}`]
  })
}

function renderNote(note: KeyNotes[keyof KeyNotes]): string {
  if (typeof note === 'boolean') return note ? 'yes' : 'none'
  if (typeof note === 'number') return note === 0 ? 'none' : String(note)
  const text = typeof note === 'string' ? note : (note?.join(', ') ?? '')
  return text === '' ? 'none' : text
}

const requiredWord = ({ required }: FullKey) => (required ? 'required' : 'optional')

function defaultDifference(before: FullKey, after: FullKey): string | undefined {
  const secret = before.tier === 'secret' || after.tier === 'secret'
  if (!before.hasDefault && !after.hasDefault) return undefined
  if (!before.hasDefault) return secret ? 'default added' : `default ${renderValue(after.default)}`
  if (!after.hasDefault) return 'default removed'
  if (before.default === undefined || after.default === undefined) return undefined
  if (before.default === after.default) return undefined
  return secret
    ? 'default changed'
    : `default ${renderValue(before.default)} → ${renderValue(after.default)}`
}

function constraintDifferences(
  before: FullKey['constraints'],
  after: FullKey['constraints'],
): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) => {
    const old = canonical(before[name])
    const next = canonical(after[name])
    if (old === next) return []
    if (old === undefined) return [`${name} ${next}`]
    return next === undefined ? [`${name} removed`] : [`${name} ${old} → ${next}`]
  })
}

/** Returns JSON with sorted members, so that equal values have equal texts. */
function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  )
}

function renderValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'unknown'
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** Returns a key in a few words. Example: `string, email, min length 3, optional`. */
export function describeKey({
  type,
  constraints,
  required,
  hasDefault,
  default: value,
  tier,
  isDefaultTried,
  variable = '',
  targeted,
  variants = [],
}: FullKey): string {
  const words = Object.entries(constraints).map(([name, rule]) => constraintWord(name, rule))
  const origin = isDefaultTried ? ' (found by trying)' : ''
  const state = hasDefault
    ? tier === 'secret' || value === undefined
      ? `with default${origin}`
      : `default ${renderValue(value)}${origin}`
    : required
      ? 'required'
      : 'optional'
  const named = variable === '' ? [] : [`variable ${variable}`]
  const targeting = [
    ...(targeted === true ? ['targeted'] : []),
    ...(variants.length > 0 ? [`variants ${variants.map(({ name }) => name).join(' ')}`] : []),
  ]
  return [type, ...words, state, ...targeting, ...named].join(', ')
}

const constraintWords: Readonly<Record<string, string>> = {
  minimum: '≥',
  exclusiveMinimum: '>',
  maximum: '≤',
  exclusiveMaximum: '<',
  minLength: 'min length',
  maxLength: 'max length',
  multipleOf: 'multiple of',
  pattern: 'pattern',
}

function constraintWord(name: string, rule: unknown): string {
  if (name === 'format' && typeof rule === 'string') return rule
  if (name === 'multipleOf' && rule === 1) return 'integer'
  if (name === 'type') return String(rule)
  if (name === 'enum' && Array.isArray(rule)) return `one of ${rule.map(renderValue).join(' ')}`
  return `${constraintWords[name] ?? name} ${typeof rule === 'string' ? rule : renderValue(rule)}`
}
