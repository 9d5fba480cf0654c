import {
  canonicalJson,
  normalizeRules,
  type FlagRule,
  type ProblemLocation,
} from '@signalbox/contract'
import { sentValue } from '@signalbox/contract/rest'
import type { z } from 'zod'
import { toJsonPointer } from '../http/input/json-pointer.ts'
import { validateBody } from '../http/input/validate.ts'
import type { Sealer } from '../vault/organization-keys.ts'
import type { RequestedRules } from './constraints/check-rules.ts'
import type { KeyRule } from './definition.ts'
import { refuseViolations } from './refuse.ts'
import { resolveValues, type ConfigState, type ResolvedValue } from './resolve-values.ts'
import { createSecretOpener } from './sealed-secrets.ts'

/** Holds what an environment has when values are sent to it. */
interface SentTo {
  readonly orgId: string
  readonly state: ConfigState
  readonly environmentId: string
  readonly sealer: Sealer
}

/** Holds values and rules as a request gives them. */
interface SentValues {
  readonly values: Readonly<Record<string, unknown>>
  readonly rules: RequestedRules
}

/** Holds the values and rules to set, and the keys that stay as they are. */
interface ReadValues {
  readonly set: Readonly<Record<string, unknown>>
  readonly rules: RequestedRules
  readonly keptKeys: ReadonlySet<string>
}

type Entry = z.output<typeof sentValue>

/**
 * Reads the values of a request, each of which is the value itself or an entry as a read shows it. An entry without a
 * value, as of a secret that its reader was not shown, keeps what is stored; one of a value that comes from elsewhere
 * sets it only when it was edited.
 *
 * @throws {Problem} with a pointer into each entry that has another form, and to each value that is not stored here.
 */
export function readSentValues(to: SentTo, { values, rules }: SentValues): ReadValues {
  const { definition } = to.state.schema
  const entries = Object.entries(values).filter(([key, value]) =>
    isEntry(definition.get(key), value),
  )
  if (entries.length === 0) return { set: values, rules, keptKeys: new Set() }
  const set: Record<string, unknown> = { ...values }
  const rulesByKey: Record<string, readonly FlagRule[] | null> = { ...rules }
  const keptKeys = new Set<string>()
  const violations: ProblemLocation[] = []
  const resolved = resolveValues(to.state, to.environmentId)
  const openSecret = openerOf(to)
  for (const [key, raw] of entries) {
    const entry = validateBody(sentValue, raw, ['values', key])
    const stored = resolved.get(key)
    set[key] = entry.value
    if (entry.rules !== undefined && !Object.hasOwn(rulesByKey, key)) rulesByKey[key] = entry.rules
    if (stored === undefined || !staysAsIs(entry, stored, () => openSecret(key, stored))) continue
    Reflect.deleteProperty(set, key)
    Reflect.deleteProperty(rulesByKey, key)
    keptKeys.add(key)
    if (entry.value === undefined && entry.source === 'set' && stored.source !== 'set') {
      const detail =
        'This environment has no value of its own to keep. Add one, or leave the key out.'
      const pointer = toJsonPointer(['values', key, 'value'])
      violations.push({ pointer, code: 'validation_failed', detail })
    }
  }
  if (violations.length > 0) throw refuseViolations(violations)
  return { set, rules: rulesByKey, keptKeys }
}

/** The fields that every entry of a read has. */
const entryFields = ['tier', 'type', 'source', 'updatedAt', 'updatedBy']

/**
 * Returns whether an object has a field of an entry. Without one it is a value of the wrong type. An object of the type `json` may
 * be a value with such a field, so it is an entry only with all that a read shows.
 */
function isEntry(rule: KeyRule | undefined, value: unknown): boolean {
  const has = (field: string) => Object.hasOwn(Object(value), field)
  return rule?.type === 'json' ? entryFields.every(has) : Object.keys(sentValue.shape).some(has)
}

/** Returns whether an entry says nothing else than what is stored, or than what comes from elsewhere. */
function staysAsIs(
  { value, rules, source }: Entry,
  stored: ResolvedValue,
  openSecret: () => string | undefined,
): boolean {
  if (value === undefined) return true
  if (source === undefined || source === 'set' || stored.source === 'set') return false
  const text = rules === undefined ? undefined : JSON.stringify(normalizeRules(rules))
  const known = stored.sealed === undefined ? JSON.stringify(stored.value) : openSecret()
  return canonicalJson(value) === known && text === stored.rules
}

/** Returns a function that opens a secret that was found: its JSON text. */
function openerOf({ sealer, orgId, state }: SentTo) {
  const opener = createSecretOpener(sealer, orgId, state.schema.id)
  return (key: string, stored: ResolvedValue) => opener.open(new Map([[key, stored]])).get(key)
}
