import type { ProblemLocation } from '@signalbox/contract'
import { requireReach, type Caller } from '../../config-model/caller.ts'
import { unknownKey } from '../../config-model/constraints/check-value.ts'
import { commit, type ConfigDeps } from '../config-deps.ts'
import { getCurrentValues, ownKeys, type CurrentValues } from '../../config-model/current-values.ts'
import type { Confirmation } from '../../config-model/confirmation.ts'
import type { Definition } from '../../config-model/definition.ts'
import { refuseViolations } from '../../config-model/refuse.ts'
import { requireVersion } from '../../http/admission/preconditions.ts'
import { lockForWrite, writeValues, type WrittenValues } from './write-values.ts'

/** Describes the values of one environment to delete. */
interface DeleteValues {
  readonly schemaId: string
  readonly environmentId: string
  readonly keys: readonly string[]
  readonly confirmation: Confirmation
  readonly ifMatch: number | undefined
}

/**
 * Deletes what an environment sets for some keys: it then inherits them or has their defaults. Deleting what is not
 * set changes nothing. Values of keys that the schema has lost can be deleted too.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`, `revision_mismatch`, `unknown_key`, `confirmation_required`,
 * `comment_required`
 */
export async function deleteValues(
  deps: ConfigDeps,
  caller: Caller,
  { schemaId, environmentId, keys, confirmation, ifMatch }: DeleteValues,
): Promise<WrittenValues> {
  requireReach(caller, 'writeValues', { schemaId, environmentId })
  const { orgId } = caller
  return commit(deps, caller, async (tx) => {
    const context = await lockForWrite(deps, tx, {
      orgId,
      schemaId,
      environmentIds: [environmentId],
    })
    const current = getCurrentValues(context.state, environmentId)
    requireVersion(current.version, ifMatch)
    requireKnown(context.state.schema.definition, current, keys)
    return writeValues(deps, tx, caller, {
      ...context,
      environmentId,
      edit: { set: new Map(), remove: new Set(keys) },
      kind: 'write',
      action: 'value.deleted',
      confirmation,
      dryRun: false,
    })
  })
}

function requireKnown(
  definition: Definition,
  current: CurrentValues,
  keys: readonly string[],
): void {
  const stored = new Set(ownKeys(current))
  const violations: ProblemLocation[] = keys
    .filter((key) => !definition.has(key) && !stored.has(key))
    .map((key) => Object.assign({ pointer: '?key' }, unknownKey(definition, key)))
  if (violations.length > 0) throw refuseViolations(violations)
}
