import type { ProblemPlace } from '@signalbox/contract'
import { requireReach, type Caller } from '../caller.ts'
import { checkRules, type CheckedRules, type GivenRules } from '../constraints/check-rules.ts'
import { checkValues, type CheckedValues } from '../constraints/check-values.ts'
import { commit, type ConfigDeps } from '../config-deps.ts'
import type { Consent } from '../environments/consent.ts'
import {
  headOf,
  openState,
  refuseFaults,
  requireVersion,
  writeValues,
  type WrittenValues,
} from './write-values.ts'

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
    const head = headOf(opened.state, environmentId)
    requireVersion(head.version, ifMatch)
    const { definition } = opened.state.schema
    const checked = await checkValues(definition, values)
    const stays = (key: string) => !replace && typeof head.openValues[key]?.value === 'boolean'
    const ruled = checkRules(definition, rules, (key) => Object.hasOwn(values, key) || stays(key))
    if ('faults' in checked || 'faults' in ruled) throw refuseFaults(faultsOf(checked, ruled))
    return writeValues(deps, tx, caller, {
      ...opened,
      environmentId,
      edit: { set: checked.values, rules: ruled.rules, remove: replace ? 'others' : new Set() },
      kind: 'write',
      action: 'value.set',
      consent,
      dryRun,
    })
  })
}

function faultsOf(...checks: readonly (CheckedValues | CheckedRules)[]): ProblemPlace[] {
  return checks.flatMap((check) => ('faults' in check ? check.faults : []))
}
