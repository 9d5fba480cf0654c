import { Problem } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Tx } from '../../store/store.ts'
import { mayReveal, requireReach, type Caller } from '../../config-model/caller.ts'
import { recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import type { FirstReads } from './first-reads.ts'
import { findState } from './current-rows.ts'
import { createSecretOpener } from '../../config-model/sealed-secrets.ts'
import { resolveValues } from '../../config-model/resolve-values.ts'
import { pickKeys, type ShownValues } from './show-values.ts'

/** Describes which values are read, and whether a person asks for the secrets. */
export interface GetValues {
  readonly schemaId: string
  readonly environmentId: string
  /** Only these; `undefined`: all. */
  readonly keys: readonly string[] | undefined
  /** A person asks to see the secrets, which the audit log records. */
  readonly reveal: boolean
}

/**
 * Returns the value of each key and its source. Secrets are shown to a server key, whose first read in an hour goes to
 * the audit log, and to a person who asks for them, whose every read does.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`, `role_forbidden`, `sealed`
 */
export async function getValues(
  deps: ConfigDeps & {
    readonly firstReads: FirstReads
  },
  caller: Caller,
  { schemaId, environmentId, keys, reveal }: GetValues,
): Promise<ShownValues> {
  requireReach(caller, 'readValues', { schemaId, environmentId })
  const { orgId, readsSecrets } = caller
  if (reveal && !readsSecrets && !mayReveal(caller, { schemaId, environmentId })) {
    const detail =
      'You may not read the secrets of this environment. Ask an admin of the organization for a grant that allows it.'
    throw new Problem('role_forbidden', detail)
  }
  const reader = caller.author.id ?? ''
  const { values, unread } = await deps.store.transaction(caller.scope, async (tx) => {
    const of = { orgId, schemaId, environmentIds: [environmentId] }
    const state = await findState(tx, deps.schemas, of)
    if (state === undefined) throw notFound()
    const selection = { state, environmentId, keys }
    if (!readsSecrets && !reveal)
      return { values: { ...selection, secrets: undefined }, unread: [] }
    const secrets = await openSecrets(deps, tx, orgId, selection)
    const scopes = readsSecrets ? scopesOf({ schemaId, environmentId, keys }, secrets) : []
    const unread = scopes.filter((scope) => deps.firstReads.isFirst(reader, scope))
    if (unread.length > 0 || !readsSecrets) recordRead(tx, caller, { ...selection, secrets })
    return { values: { ...selection, secrets }, unread }
  })
  for (const scope of unread) deps.firstReads.remember(reader, scope)
  return values
}

/**
 * Returns the scopes of a read, each of which has a first read of its own: the environment for a read of all keys, each
 * key for a read of some. However keys are combined, there are no more scopes than secrets. A read without a secret has
 * none.
 */
function scopesOf(
  { schemaId, environmentId, keys }: Pick<GetValues, 'schemaId' | 'environmentId' | 'keys'>,
  secrets: ReadonlyMap<string, string>,
): string[] {
  if (secrets.size === 0) return []
  const all = `${schemaId}|${environmentId}`
  return keys === undefined ? [all] : [...secrets.keys()].map((key) => `${all}|${key}`)
}

async function openSecrets(
  { keys }: ConfigDeps,
  tx: Tx,
  orgId: string,
  { state, environmentId, keys: only }: Pick<ShownValues, 'state' | 'environmentId' | 'keys'>,
): Promise<ReadonlyMap<string, string>> {
  const sealer = await keys.getSealer(tx, orgId)
  const opener = createSecretOpener(sealer, orgId, state.schema.id)
  return opener.open(pickKeys(resolveValues(state, environmentId), only))
}

/** Records nothing where there is no secret to read. */
function recordRead(tx: Tx, caller: Caller, { state, environmentId, secrets }: ShownValues): void {
  const keys = [...(secrets?.keys() ?? [])]
  if (keys.length === 0) return
  recordConfigEvent(tx, caller, {
    action: caller.readsSecrets ? 'secret.read_by_key' : 'secret.revealed',
    target: { type: 'config_values', id: state.schema.id, name: state.schema.name },
    detail: { environmentId, keys },
  })
}
