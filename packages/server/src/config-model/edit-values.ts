import { sameValue, type ConfigValue } from '@signalbox/contract'
import type { Author } from '../audit/audit-event.ts'
import { ownKeys, type CurrentValues, type OpenEntry, type SecretEntry } from './current-values.ts'
import type { Definition } from './definition.ts'
import { withRuleIds } from './rule-ids.ts'
import type { SealedSecrets } from './sealed-secrets.ts'

/** Describes what a write does to the values that an environment sets itself. */
export interface ValueEdit {
  readonly set: ReadonlyMap<string, ConfigValue>
  /**
   * The text of the rules that flags get; `null` removes them. Each of these flags has a value afterwards. A flag that
   * is not named keeps its rules while `remove` names keys, and loses them when it is `'others'`.
   */
  readonly rules?: RulesByKey
  /** `'others'`: every key that neither `set` nor `keptKeys` names. */
  readonly remove: ReadonlySet<string> | 'others'
  /** Keys that stay as they are, with their rules. */
  readonly keptKeys?: ReadonlySet<string> | undefined
}

/** Maps a flag to the text of its rules; `null` removes them. */
export type RulesByKey = ReadonlyMap<string, string | null>

/** Holds what an edit needs beside the values: the schema, its secrets, the author and the time. */
interface EditContext {
  readonly definition: Definition
  /** The secrets that it sets to another value than the environment has, sealed for there. */
  readonly sealed: SealedSecrets
  readonly author: Author
  readonly now: Date
}

/**
 * Returns the current values after an edit of checked values; the very same object when the edit changes nothing. A
 * value that stays the same keeps its author, its time and its seal.
 */
export function editValues(
  context: EditContext,
  current: CurrentValues,
  edit: ValueEdit,
): CurrentValues {
  const { definition } = context
  const openValues: Record<string, OpenEntry> = { ...current.openValues }
  const secretValues: Record<string, SecretEntry> = { ...current.secretValues }
  let changed = false
  const drop = (values: Record<string, unknown>, key: string) => {
    if (!Object.hasOwn(values, key)) return
    Reflect.deleteProperty(values, key)
    changed = true
  }
  for (const key of removedKeys(current, edit)) {
    drop(openValues, key)
    drop(secretValues, key)
  }
  for (const [key, value] of edit.set) {
    const isSecret = definition.get(key)?.tier === 'secret'
    // A value that was stored as another tier demanded does not stay beside the new one.
    drop(isSecret ? openValues : secretValues, key)
    if (isSecret || sameValue(openValues[key]?.value, value)) continue
    changed = true
    openValues[key] = withRules({ value, ...made(context) }, openValues[key]?.rules)
  }
  for (const [key, secret] of context.sealed) {
    changed = true
    secretValues[key] = { ...secret, ...made(context) }
  }
  changed = setRules(context, openValues, newRules(current, edit)) || changed
  return changed ? { ...current, openValues, secretValues } : current
}

function removedKeys(
  current: CurrentValues,
  { set, remove, keptKeys }: ValueEdit,
): Iterable<string> {
  if (remove !== 'others') return remove
  return ownKeys(current).filter((key) => !set.has(key) && keptKeys?.has(key) !== true)
}

/** Sets the rules of flags, and returns whether any flag has other rules now. */
function setRules(
  context: EditContext,
  openValues: Record<string, OpenEntry>,
  rulesByKey: ReadonlyMap<string, string | undefined>,
): boolean {
  let changed = false
  for (const [key, rules] of rulesByKey) {
    const entry = openValues[key]
    if (entry === undefined) continue
    const identified = rules && withRuleIds(rules, entry.rules)
    if (entry.rules === identified) continue
    changed = true
    openValues[key] = withRules({ value: entry.value, ...made(context) }, identified)
  }
  return changed
}

function withRules(entry: OpenEntry, rules: string | undefined): OpenEntry {
  return rules === undefined ? entry : { ...entry, rules }
}

/** Returns the rules of each flag after the edit, of those flags whose rules may change. */
function newRules(
  current: CurrentValues,
  { rules = new Map(), remove, keptKeys }: ValueEdit,
): Map<string, string | undefined> {
  const dropped = remove === 'others' ? Object.keys(current.openValues) : []
  const none = dropped
    .filter((key) => keptKeys?.has(key) !== true)
    .map((key): [string, string | undefined] => [key, undefined])
  const edited = [...rules].map(([key, text]): [string, string | undefined] => [
    key,
    text ?? undefined,
  ])
  return new Map([...none, ...edited])
}

function made({ now, author }: EditContext): Pick<OpenEntry, 'updatedAt' | 'updatedBy'> {
  return { updatedAt: now.getTime(), updatedBy: author }
}
