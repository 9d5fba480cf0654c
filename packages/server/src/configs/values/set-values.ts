import { requireReach, type Caller } from '../caller.ts'
import { commit, type ConfigDeps } from '../config-deps.ts'
import { checkEdit, type GivenRules } from '../constraints/check-values.ts'
import type { Consent } from '../environments/consent.ts'
import { refuseFaults, requireVersion } from '../refuse.ts'
import { getHead } from './config-head.ts'
import { openState, writeValues, type WrittenValues } from './write-values.ts'

/** Describes a write of values to one environment. */
export interface SetValues {
  readonly schemaId: string
  readonly environmentId: string
  readonly values: Readonly<Record<string, unknown>>
  /** Of some flags; `null` or none takes them away. */
  readonly rules: GivenRules
  /** The given values become all that the environment sets; others are deleted. */
  readonly replace: boolean
  readonly consent: Consent
  readonly dryRun: boolean
  /** The version the caller has seen. */
  readonly ifMatch: number | undefined
}

/**
 * Sets values and rules of an environment: all of them or, when one is at fault, none.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`, `revision_mismatch`; with a place for each faulty key
 * `unknown_key`, `type_mismatch`, `schema_violation`, `tier_mismatch`, `value_too_large`, or `validation_failed` for a mixture;
 * `confirmation_required`, `comment_required`.
 */
export async function setValues(
  deps: ConfigDeps,
  caller: Caller,
  { schemaId, environmentId, values, rules, replace, consent, dryRun, ifMatch }: SetValues,
): Promise<WrittenValues> {
  requireReach(caller, { schemaId, environmentId })
  const { orgId } = caller
  return commit(deps, caller, async (tx) => {
    const opened = await openState(deps, tx, { orgId, schemaId, environmentIds: [environmentId] })
    const head = getHead(opened.state, environmentId)
    requireVersion(head.version, ifMatch)
    const { definition } = opened.state.schema
    const given = { set: values, rules, remove: replace ? ('others' as const) : [] }
    const checked = await checkEdit({ definition, head }, given)
    if ('faults' in checked) throw refuseFaults(checked.faults)
    return writeValues(deps, tx, caller, {
      ...opened,
      environmentId,
      edit: checked.edit,
      kind: 'write',
      action: 'value.set',
      consent,
      dryRun,
    })
  })
}
