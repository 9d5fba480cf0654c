import { requireReach, type Caller } from '../../config-model/caller.ts'
import { commit, type ConfigDeps } from '../config-deps.ts'
import { segmentsOf, type RequestedRules } from '../../config-model/constraints/check-rules.ts'
import { checkEdit } from '../../config-model/constraints/check-values.ts'
import { isFlag } from '../../config-model/definition.ts'
import type { Confirmation } from '../../config-model/confirmation.ts'
import { refuseViolations } from '../../config-model/refuse.ts'
import { withSegments } from '../segments/read-known-segments.ts'
import { requireVersion } from '../../http/admission/preconditions.ts'
import { getCurrentValues, type CurrentValues } from '../../config-model/current-values.ts'
import type { ConfigState } from '../../config-model/resolve-values.ts'
import { turnsOff } from '../../config-model/segment-texts.ts'
import { readSentValues } from '../../config-model/sent-values.ts'
import { lockForWrite, writeValues, type WrittenValues } from './write-values.ts'

/** Describes a write of values to one environment. */
export interface SetValues {
  readonly schemaId: string
  readonly environmentId: string
  /** Values, or entries as a read shows them. */
  readonly values: Readonly<Record<string, unknown>>
  /** The rules of some flags; `null` or an empty list removes them. */
  readonly rules: RequestedRules
  /** `values` become all that the environment sets; its others are deleted, except for flags that are turned off. */
  readonly replace: boolean
  readonly allowPlain: readonly string[]
  readonly confirmation: Confirmation
  readonly dryRun: boolean
  /** The version the caller has seen. */
  readonly ifMatch: number | undefined
}

/**
 * Sets values and rules of an environment: all of them or, when one breaks a rule, none.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`, `revision_mismatch`; with a pointer to each invalid key
 * `unknown_key`, `unknown_segment`, `too_many_rules`, `type_mismatch`, `schema_violation`, `tier_mismatch`, `looks_like_secret`, `value_too_large`, or `validation_failed` for a
 * mixture; `confirmation_required`, `comment_required`.
 */
export async function setValues(
  deps: ConfigDeps,
  caller: Caller,
  {
    schemaId,
    environmentId,
    values,
    rules,
    replace,
    confirmation,
    dryRun,
    ifMatch,
    ...request
  }: SetValues,
): Promise<WrittenValues> {
  const allowPlain = new Set(request.allowPlain)
  requireReach(caller, 'writeValues', { schemaId, environmentId })
  const { orgId } = caller
  return commit(deps, caller, async (tx) => {
    const locked = await lockForWrite(deps, tx, {
      orgId,
      schemaId,
      environmentIds: [environmentId],
    })
    const current = getCurrentValues(locked.state, environmentId)
    requireVersion(current.version, ifMatch)
    const { definition } = locked.state.schema
    const sent = readSentValues({ ...locked, orgId, environmentId }, { values, rules })
    const context = await withSegments(tx, orgId, locked, segmentsOf(sent.rules))
    const { segments } = context
    const requested = replace
      ? {
          ...sent,
          allowPlain,
          remove: 'others' as const,
          keptKeys: withTurnedOff(sent, locked.state, current),
        }
      : { ...sent, allowPlain, remove: [] }
    const checked = await checkEdit({ definition, current, segments }, requested)
    if ('violations' in checked) throw refuseViolations(checked.violations)
    return writeValues(deps, tx, caller, {
      ...context,
      environmentId,
      edit: checked.edit,
      kind: 'write',
      action: 'value.set',
      confirmation,
      dryRun,
    })
  })
}

/** Returns the keys that stay as they are, with the flags that are turned off: leaving one out turns no flag on. */
function withTurnedOff(
  { set, keptKeys }: ReturnType<typeof readSentValues>,
  { schema }: ConfigState,
  { openValues }: CurrentValues,
): ReadonlySet<string> {
  const isOff = (key: string) =>
    isFlag(schema.definition.get(key)) && turnsOff(openValues[key]?.rules)
  const off = Object.keys(openValues).filter((key) => isOff(key) && !Object.hasOwn(set, key))
  return new Set([...keptKeys, ...off])
}
