import { describeFlagMove, describeMovedSource, hasRuledKey } from '@signalbox/contract'
import type { ItemOf } from '../../api/routes.ts'
import { toValueText } from '../configs/matrix.ts'

/** Describes a version as the history lists it. */
export type Version = ItemOf<'GET /organizations/{org_id}/config-versions'>
type VersionChange = Version['changes'][number]

const keysShown = 3

/** Returns what a version changed: the first keys, each with what became of it, and how many more there are. */
export function describeVersion({ changes }: Pick<Version, 'changes'>): readonly string[] {
  const more = changes.length - keysShown
  return [
    ...changes.slice(0, keysShown).map(describeChange),
    ...(more > 0 ? [`and ${more} more`] : []),
  ]
}

function describeChange(change: VersionChange): string {
  const { key, segments = [] } = change
  if (segments.length > 0) return `${key} (segment ${segments.join(', ')} changed)`
  const text = describeOnlyKey(change)
  return text === undefined ? key : `${key}: ${text}`
}

/** Describes changes of old versions, which did not record the value that applications keep. */
const unnoticed: Readonly<Record<VersionChange['change'], string>> = {
  added: 'set here, to the same value',
  changed: 'same value',
  removed: 'no longer set here, same value',
}

/** Returns what became of the one key whose history is listed. */
export function describeKeyMove(change: VersionChange): string {
  return describeOnlyKey(change) ?? unnoticed[change.change]
}

/** Returns what became of a key, without its name. `undefined`: the list has no values of it. */
function describeOnlyKey(change: VersionChange): string | undefined {
  const { before, after, rulesBefore, rulesAfter, tier } = change
  if (tier === 'secret') return `secret ${change.change}`
  const isKnown = [before, after, rulesBefore, rulesAfter].some((each) => each !== undefined)
  if (!isKnown) return undefined
  if (hasRuledKey(change)) return describeFlagMove(change)
  return describeMovedSource(change, toText(after)) ?? `${toText(before)} → ${toText(after)}`
}

function toText(value: VersionChange['before']): string {
  if (value === undefined) return 'not set'
  return value === '' ? 'empty' : toValueText(value)
}
