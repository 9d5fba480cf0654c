import {
  nameFlagSet,
  readRuledKeys,
  type FlagsOfSnapshot,
  type RuledKey,
} from '../ofrep/flag-set.ts'
import { compileFlag, type FlagdFlag } from './compile-flagd.ts'

/**
 * Renders flagd's definition of all flags of a snapshot. Flags that are set nowhere are off, as they are for OFREP. It has
 * no version of the set, so equal flags have equal texts: providers report every flag as changed when the metadata of the set
 * change. Each flag has the version in which it last changed. `leftOut` names the flags that flagd cannot decide as we do.
 */
export function renderDefinition(snapshot: FlagsOfSnapshot): string {
  const flags: [string, FlagdFlag][] = []
  const leftOut: string[] = []
  for (const flag of readRuledKeys(snapshot).toSorted(byKey)) {
    const compiled = compileFlag(flag)
    if (compiled.flag === undefined) leftOut.push(`${flag.key}: ${compiled.leftOut}`)
    else flags.push([flag.key, compiled.flag])
  }
  const metadata = {
    flagSetId: nameFlagSet(snapshot),
    ...(leftOut.length > 0 && { leftOut: leftOut.join('; ') }),
  }
  return JSON.stringify({ $schema: schemaUrl, flags: Object.fromEntries(flags), metadata })
}

/** Tells editors how to check the definition. Providers do not fetch it. */
const schemaUrl = 'https://flagd.dev/schema/v0/flags.json'

function byKey(one: RuledKey, other: RuledKey): number {
  return one.key < other.key ? -1 : 1
}
