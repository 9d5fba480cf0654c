import { Problem } from '@signalbox/contract'
import { notFound } from '../http/problem-response.ts'
import type { Tx } from '../store/store.ts'
import { requireReach, type Caller } from './caller.ts'
import { recordConfigEvent, type ConfigDeps } from './config-deps.ts'
import { findState } from './head-rows.ts'
import { createSecretOpener } from './open-secrets.ts'
import { resolveValues, type ConfigState } from './resolve-values.ts'
import type { ShownValues } from './show-values.ts'

export interface GetValues {
  readonly schemaId: string
  readonly environmentId: string
  /** A person asks to see the secrets, which is written down. */
  readonly reveal: boolean
}

/**
 * The value of each key and where it comes from. Secrets only for a server key, and for a person who asks for them.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`, `role_forbidden`, `sealed`
 */
export async function getValues(
  deps: ConfigDeps,
  caller: Caller,
  { schemaId, environmentId, reveal }: GetValues,
): Promise<ShownValues> {
  requireReach(caller, { schemaId, environmentId })
  const { orgId, readsSecrets } = caller
  if (reveal && !readsSecrets && !caller.mayReveal) {
    const detail = 'Secrets are shown to developers, admins and owners.'
    throw new Problem('role_forbidden', detail)
  }
  return deps.store.transaction(caller.scope, async (tx) => {
    const state = await findState(tx, deps.schemas, {
      orgId,
      schemaId,
      environmentIds: [environmentId],
    })
    if (state === undefined) throw notFound()
    if (!readsSecrets && !reveal) return { state, environmentId, secrets: undefined }
    const secrets = await openSecrets(deps, tx, orgId, { state, environmentId })
    if (!readsSecrets) await recordReveal(tx, caller, { state, environmentId }, [...secrets.keys()])
    return { state, environmentId, secrets }
  })
}

interface Place {
  readonly state: ConfigState
  readonly environmentId: string
}

async function openSecrets(
  { keys }: ConfigDeps,
  tx: Tx,
  orgId: string,
  { state, environmentId }: Place,
): Promise<ReadonlyMap<string, string>> {
  const sealer = await keys.getSealer(tx, orgId)
  const opener = createSecretOpener(sealer, orgId, state.schema.id)
  return opener.open(resolveValues(state, environmentId))
}

async function recordReveal(
  tx: Tx,
  caller: Caller,
  { state, environmentId }: Place,
  revealed: readonly string[],
): Promise<void> {
  recordConfigEvent(tx, caller, {
    action: 'secret.revealed',
    target: { type: 'config_values', id: state.schema.id, name: state.schema.name },
    detail: { environmentId, keys: revealed },
  })
}
