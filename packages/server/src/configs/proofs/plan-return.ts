import { sameValue } from '@signalbox/contract'
import type { StoredContent } from '../../config-model/value-changes.ts'
import type { NotRestored, OriginOf, ProofRow } from './proof.ts'

/** Describes what a change set in one environment. */
export interface OriginChange extends OriginOf {
  /** Names the version before the change. `undefined`: there was none, or it is no longer stored. */
  readonly versionId: string | undefined
  readonly keys: readonly string[]
  /** Holds the keys that others have changed since. `undefined`: not known. */
  readonly touched: ReadonlySet<string> | undefined
}

/** Returns the keys that an environment set otherwise than in the version before. */
export function listOwnKeys(was: StoredContent, is: StoredContent): string[] {
  const keys = new Set(
    [was, is].flatMap((content) => [content.open, content.secret].flatMap(Object.keys)),
  )
  return [...keys].filter(
    (key) =>
      !sameValue(was.open[key], is.open[key]) ||
      was.rules[key] !== is.rules[key] ||
      was.secret[key] !== is.secret[key],
  )
}

interface PlannedReturn {
  readonly restores: readonly {
    readonly environmentId: string
    readonly versionId: string
    readonly keys: readonly string[]
  }[]
  /** Says what stays, where something does. */
  readonly notRestored: NotRestored | undefined
}

/**
 * Returns what goes back when a proof fails: what its change set, but what somebody has changed since, and what a kill switch
 * turned off.
 */
export function planReturn(
  { killedKeys, keys: changed }: Pick<ProofRow, 'killedKeys' | 'keys'>,
  changes: readonly OriginChange[],
): PlannedReturn {
  const killed = new Set(killedKeys)
  const isTouched = ({ touched }: OriginChange, key: string) => touched?.has(key) ?? true
  const restores = changes.flatMap((change) => {
    const keys = change.keys.filter((key) => !killed.has(key) && !isTouched(change, key))
    const { environmentId, versionId } = change
    return versionId === undefined || keys.length === 0
      ? []
      : [{ environmentId, versionId, keys: keys.toSorted() }]
  })
  const own = changes.flatMap((change) => change.keys.map((key) => ({ change, key })))
  if (own.length === 0) {
    const detail =
      'The change set no values here: it came with a schema, a segment or another parent.'
    return { restores, notRestored: { code: 'not_values', keys: changed, detail } }
  }
  if (changes.every(({ versionId }) => versionId === undefined)) {
    const detail = 'The version before it is not stored.'
    return { restores, notRestored: { code: 'first_version', keys: changed, detail } }
  }
  const off = own.filter(({ key }) => killed.has(key)).map(({ key }) => key)
  const touched = own.filter(({ change, key }) => !killed.has(key) && isTouched(change, key))
  if (touched.length > 0) {
    const keys = [...new Set(touched.map(({ key }) => key))]
    const detail = `Somebody has changed ${list(keys)} since.`
    return { restores, notRestored: { code: 'touched', keys, detail } }
  }
  if (off.length === 0) return { restores, notRestored: undefined }
  const keys = [...new Set(off)]
  const detail = `Signalbox never turns a flag on again automatically: ${list(keys)} stays off.`
  return { restores, notRestored: { code: 'kill_switch', keys, detail } }
}

function list(keys: readonly string[]): string {
  const first = keys.slice(0, 3).join(', ')
  return keys.length > 3 ? `${first} and ${keys.length - 3} more` : first
}
