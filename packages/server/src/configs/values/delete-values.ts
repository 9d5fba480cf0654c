import type { ProblemLocation } from '@signalbox/contract'
import { requireReach, type Caller } from '../caller.ts'
import { unknownKey } from '../constraints/check-values.ts'
import { commit, type ConfigDeps } from '../config-deps.ts'
import { getHead, ownKeys, type ConfigHead } from './config-head.ts'
import type { Consent } from '../environments/consent.ts'
import type { Definition } from '../schemas/definition.ts'
import { refuseFaults, requireVersion } from '../refuse.ts'
import { openState, writeValues, type WrittenValues } from './write-values.ts'

export interface DeleteValues {
  readonly schemaId: string
  readonly environmentId: string
  readonly keys: readonly string[]
  readonly consent: Consent
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
  { schemaId, environmentId, keys, consent, ifMatch }: DeleteValues,
): Promise<WrittenValues> {
  requireReach(caller, { schemaId, environmentId })
  const { orgId } = caller
  return commit(deps, caller, async (tx) => {
    const opened = await openState(deps, tx, { orgId, schemaId, environmentIds: [environmentId] })
    const head = getHead(opened.state, environmentId)
    requireVersion(head.version, ifMatch)
    requireKnown(opened.state.schema.definition, head, keys)
    return writeValues(deps, tx, caller, {
      ...opened,
      environmentId,
      edit: { set: new Map(), remove: new Set(keys) },
      kind: 'write',
      action: 'value.deleted',
      consent,
      dryRun: false,
    })
  })
}

function requireKnown(definition: Definition, head: ConfigHead, keys: readonly string[]): void {
  const stored = new Set(ownKeys(head))
  const faults: ProblemLocation[] = keys
    .filter((key) => !definition.has(key) && !stored.has(key))
    .map((key) => Object.assign({ pointer: '?key' }, unknownKey(definition, key)))
  if (faults.length > 0) throw refuseFaults(faults)
}
