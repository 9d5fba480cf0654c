import { describeVariants, type KeyDefinition, type KeyNotes } from '@signalbox/contract'
import { freshDraft, type KeyDraft } from '../add-key/key-draft.ts'
import { mergeConstraints, toLimitFields } from '../add-key/limits.ts'
import { describeRotation } from '../notes/describe-notes.ts'
import { toEditText } from '../parse-value.ts'
import { describeConstraints } from '../describe-key.ts'
import { tierWords, toValueText } from '../matrix.ts'
import type { ConfigSchema } from '../schema-picker.tsx'

/** Describes a key as the server shows it. */
export type ShownKey = ConfigSchema['schema'][string]

/** Returns the fields of a key that exists. */
export function toDraft(name: string, key: ShownKey): KeyDraft {
  return {
    ...freshDraft(key.tier),
    ...toLimitFields(key.constraints ?? {}),
    name,
    type: key.type,
    isRequired: key.required,
    description: key.description ?? '',
    defaultText: key.default === undefined ? '' : toEditText(key.default),
    isTargeted: key.targeted === true,
    variants: key.variants ?? [],
    owner: key.owner ?? '',
    tagsText: key.tags?.join(', ') ?? '',
    expires: key.expires ?? '',
    rotateEveryText: key.rotateEvery === undefined ? '' : String(key.rotateEvery),
    runbook: key.runbook ?? '',
    isKillSwitch: key.killSwitch === true,
    isPlain: undefined,
  }
}

/**
 * Returns the new definition of a key. It keeps what the form has no field for: other constraints, the deprecation, the
 * place that declares it, and the default of a secret.
 */
export function mergeKey(before: ShownKey, edited: KeyDefinition): ShownKey {
  const { default: _default, description: _description, constraints = {}, ...others } = before
  const { targeted: _targeted, variants: _variants, ...rest } = others
  const former = edited.type === before.type ? constraints : {}
  const merged = mergeConstraints(edited.type, former, edited.constraints ?? {})
  const keepsSecretDefault = before.tier === 'secret' && edited.tier === 'secret'
  return {
    ...rest,
    type: edited.type,
    tier: edited.tier ?? before.tier,
    required: edited.required ?? before.required,
    hasDefault: edited.default !== undefined || (keepsSecretDefault && before.hasDefault),
    ...(edited.description !== undefined && { description: edited.description }),
    ...(edited.default !== undefined && { default: edited.default }),
    ...(Object.keys(merged).length > 0 && { constraints: merged }),
    ...mergeTargeting(edited),
    ...mergeNotes(before, edited),
  }
}

function mergeTargeting({ targeted, variants }: KeyDefinition) {
  return {
    ...(targeted === true && { targeted }),
    ...(variants !== undefined && { variants: [...variants] }),
  }
}

/** Returns the notes as a request says them: one that was there and was emptied is taken away by its empty value. */
function mergeNotes(before: KeyNotes, edited: KeyNotes) {
  const { owner, tags, expires, killSwitch, rotateEvery, runbook } = edited
  return {
    ...toEmpty(before),
    ...(owner !== undefined && { owner }),
    ...(tags !== undefined && { tags: [...tags] }),
    ...(expires !== undefined && { expires }),
    ...(killSwitch !== undefined && { killSwitch }),
    ...(rotateEvery !== undefined && { rotateEvery }),
    ...(runbook !== undefined && { runbook }),
  }
}

/** Returns what takes the notes away that were there. */
function toEmpty({ owner, tags, expires, killSwitch, rotateEvery, runbook }: KeyNotes) {
  return {
    ...(owner !== undefined && { owner: '' }),
    ...(tags !== undefined && { tags: [] }),
    ...(expires !== undefined && { expires: '' }),
    ...(killSwitch !== undefined && { killSwitch: false }),
    ...(rotateEvery !== undefined && { rotateEvery: 0 }),
    ...(runbook !== undefined && { runbook: '' }),
  }
}

/** Describes one difference between two definitions of a key. */
export interface KeyDifference {
  readonly name: string
  readonly before: string
  readonly after: string
  /** Says that it is about a note, which a push keeps. */
  readonly isNote: boolean
}

type Fact = readonly [name: string, toText: (key: ShownKey) => string]

const declaredFacts: readonly Fact[] = [
  ['Who reads it', (key) => tierWords[key.tier]],
  ['Type', (key) => key.type],
  ['Default', toDefaultText],
  ['Required', (key) => (key.required ? 'yes' : 'no')],
  ['Description', (key) => key.description ?? 'none'],
  ['Constraints', (key) => describeConstraints(key.constraints) || 'none'],
  ['Targeted', toTargetedText],
  ['Variants', (key) => describeVariants(key.variants)],
]

const notedFacts: readonly Fact[] = [
  ['Owner', (key) => key.owner || 'none'],
  ['Tags', (key) => key.tags?.join(', ') || 'none'],
  ['End date', (key) => key.expires || 'none'],
  ['Kill switch', (key) => (key.killSwitch === true ? 'yes' : 'no')],
  ['Rotation', (key) => (key.rotateEvery ? describeRotation(key.rotateEvery) : 'none')],
  ['Runbook', (key) => key.runbook || 'none'],
]

/** Returns everything that the form of a key changes, as one text: equal texts lose nothing to each other. */
export function toFactText(key: ShownKey): string {
  return JSON.stringify([...declaredFacts, ...notedFacts].map(([, toText]) => toText(key)))
}

/** Lists the differences between two definitions of a key, in words. */
export function listDifferences(before: ShownKey, after: ShownKey): readonly KeyDifference[] {
  const toDifferences = (facts: readonly Fact[], isNote: boolean) =>
    facts
      .map(([name, toText]) => ({ name, before: toText(before), after: toText(after), isNote }))
      .filter((difference) => difference.before !== difference.after)
  return [...toDifferences(declaredFacts, false), ...toDifferences(notedFacts, true)]
}

function toDefaultText({ tier, hasDefault, default: value }: ShownKey): string {
  if (!hasDefault) return 'none'
  return tier === 'secret' || value === undefined ? 'a secret one' : toValueText(value)
}

function toTargetedText({ targeted }: ShownKey): string {
  return targeted === true ? 'yes: rules may serve other values' : 'no: rules don’t count'
}

/** Returns whether applications may read another value after the change. */
export function reachesReaders(before: ShownKey, after: ShownKey): boolean {
  return (
    before.tier !== after.tier ||
    before.type !== after.type ||
    before.default !== after.default ||
    // A key gets its first rules after it is targeted.
    (before.targeted === true && after.targeted !== true) ||
    describeVariants(before.variants) !== describeVariants(after.variants)
  )
}
