import type { ConfigValue, FlagRule, KeyDefinition, SchemaDefinition } from '@signalbox/contract'
import type { BodyOf, ImportPlan, PlannedKey } from '@signalbox/contract/rest'
import type { importEndpoints } from '@signalbox/contract/rest'

/** Describes the body of an import. */
export type ImportRequest = BodyOf<typeof importEndpoints.importConfig>
/** Describes a key of the document. */
export type ImportedKey = ImportRequest['document']['keys'][number]

/** Describes an edit of one key in one environment, which was checked. */
export interface ImportEdit {
  readonly environmentId: string
  readonly key: string
  readonly value: ConfigValue
  /** `undefined`: the key is no flag. `null`: the flag has no rules. */
  readonly rules: readonly FlagRule[] | null | undefined
}

/** Holds the plan of an import, with what it writes. */
export interface PlannedImport {
  readonly keys: readonly PlannedKey[]
  readonly newKeys: SchemaDefinition
  readonly edits: readonly ImportEdit[]
}

/** Returns the definition of an imported key. A key that not every environment sets is not required. */
export function toKeyDefinition(
  { type, tier, description, tags, targeted, variants, variable, values }: ImportedKey,
  environments: number,
): KeyDefinition {
  return {
    type,
    tier,
    required: values.length >= environments && environments > 0,
    declaredIn: 'dashboard',
    ...(description !== undefined && description !== '' && { description }),
    ...(tags !== undefined && tags.length > 0 && { tags }),
    ...(targeted === true && { targeted }),
    ...(variants !== undefined && { variants }),
    ...(variable !== undefined && { variable }),
  }
}

/** Counts the verdicts and actions of a plan. */
export function countPlan(keys: readonly PlannedKey[]): ImportPlan['counts'] {
  const verdicts = (verdict: PlannedKey['verdict']) =>
    keys.filter((key) => key.verdict === verdict).length
  const actions = (action: PlannedKey['action']) =>
    keys.filter((key) => key.action === action).length
  return {
    exact: verdicts('exact'),
    differs: verdicts('differs'),
    leftOut: verdicts('left out'),
    create: actions('create'),
    update: actions('update'),
    unchanged: actions('unchanged'),
    skip: actions('skip'),
    failed: actions('failed'),
  }
}
