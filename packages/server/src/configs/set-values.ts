import { requireReach, type Caller } from './caller.ts'
import { checkValues } from './check-values.ts'
import { commit, type ConfigDeps } from './config-deps.ts'
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
  /** The given values become all that the environment sets; others are deleted. */
  readonly replace: boolean
  readonly comment: string | undefined
  readonly dryRun: boolean
  /** The version the caller has seen. */
  readonly ifMatch: number | undefined
}

/**
 * Sets values of an environment: all of them or, when one is at fault, none.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`, `revision_mismatch`; with a place for each faulty key
 * `unknown_key`, `type_mismatch`, `schema_violation`, `value_too_large`, or `validation_failed` for a mixture.
 */
export async function setValues(
  deps: ConfigDeps,
  caller: Caller,
  { schemaId, environmentId, values, replace, comment, dryRun, ifMatch }: SetValues,
): Promise<WrittenValues> {
  requireReach(caller, { schemaId, environmentId })
  const { orgId } = caller
  return commit(deps, caller, async (tx) => {
    const opened = await openState(deps, tx, { orgId, schemaId, environmentIds: [environmentId] })
    requireVersion(headOf(opened.state, environmentId).version, ifMatch)
    const checked = await checkValues(opened.state.schema.definition, values)
    if ('faults' in checked) throw refuseFaults(checked.faults)
    return writeValues(deps, tx, caller, {
      ...opened,
      environmentId,
      edit: { set: checked.values, remove: replace ? 'others' : new Set() },
      kind: 'write',
      action: 'value.set',
      comment,
      dryRun,
    })
  })
}
