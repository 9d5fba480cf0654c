import type { ConfigValue } from './values/value-types.ts'
import { sameValue } from './values/json-value.ts'
import { describeFlag, describeFlagChange } from './flags/describe-flag.ts'
import type { FlagRule } from './flags/flag-rules.ts'

/** Lists the sources of a value before or after a change. A key without a value has none. */
export const changeSources = ['set', 'inherited', 'default'] as const

/** Describes the source of a value before or after a change. */
export interface ChangeSource {
  readonly source: (typeof changeSources)[number]
  /** Holds the environment that the value is inherited from. */
  readonly environmentId?: string | undefined
  /** Names that environment as it was called at the time of the change. */
  readonly environment?: string | undefined
}

/** Describes the change of an open key with its sources, as `ValueChange` of the API has it. */
export interface SourcedChange {
  readonly change: 'added' | 'changed' | 'removed'
  readonly before?: ConfigValue | undefined
  readonly after?: ConfigValue | undefined
  readonly rulesBefore?: readonly FlagRule[] | undefined
  readonly rulesAfter?: readonly FlagRule[] | undefined
  /** Names the segments that changed, where the rules refer to them and stay as they are. */
  readonly segments?: readonly string[] | undefined
  readonly sourceBefore?: ChangeSource | undefined
  readonly sourceAfter?: ChangeSource | undefined
}

/** Returns a value with its source. Examples: `default off`, `set to off`, `off inherited from staging`. */
function describeSourced(text: string, { source, environment }: ChangeSource): string {
  if (source === 'default') return `default ${text}`
  if (source === 'set') return `set to ${text}`
  return `${text} inherited from ${environment ?? 'its parent'}`
}

/**
 * Returns a change that leaves the value as it was and moves its source, `text` being the value in words. Example:
 * `default off → set to off`. `undefined`: the value changed, the source did not, or the version did not record it.
 */
export function describeMovedSource(change: SourcedChange, text: string): string | undefined {
  const { before, after, rulesBefore = [], rulesAfter = [], sourceBefore, sourceAfter } = change
  if (before === undefined || !sameValue(before, after)) return undefined
  if (JSON.stringify(rulesBefore) !== JSON.stringify(rulesAfter)) return undefined
  if (sourceBefore === undefined || sourceAfter === undefined) return undefined
  const [was, is] = [sourceBefore, sourceAfter].map((source) => describeSourced(text, source))
  return was === is ? undefined : `${was} → ${is}`
}

/**
 * Returns a change of a flag in words, without its name. It names the sources where only they differ. Examples: `off → on
 * for 10%`, `default off → set to off`.
 */
export function describeFlagMove(change: SourcedChange): string {
  const text = describeFlag({ value: change.after, rules: change.rulesAfter })
  return describeMovedSource(change, text) ?? describeFlagChange(change)
}
