import { joinProofs, type ProofTerms } from '@signalbox/contract'
import { newId } from '../../crypto/ids.ts'
import { requireKnownIds, describeUnknown, nameIds } from '../../http/input/known-ids.ts'
import type { Tx } from '../../store/store.ts'
import type { Confirmation, EnvironmentPolicies } from '../../config-model/confirmation.ts'
import { chainOf, toTree, type EnvironmentTree } from '../../config-model/environment-tree.ts'
import type {
  Publication,
  VersionKind,
  VersionRecord,
} from '../../config-model/plan-publication.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { listEnvironmentRows } from '../environments/environment-rows.ts'
import { listSignalRows } from '../signals/signal-rows.ts'
import type { OriginOf, ProofRow } from './proof.ts'
import { addProofs, listWatching } from './proof-rows.ts'

interface BeginProofs {
  readonly publication: Publication
  readonly policies: EnvironmentPolicies
  readonly confirmation: Confirmation
}

/** Lists the kinds of versions whose content was set, and not only read differently. */
const setting: ReadonlySet<VersionKind> = new Set(['write', 'restore', 'promote'])

/**
 * Begins to watch the versions of a write, in its transaction, as their environments and the write itself ask for it. Changes that
 * are watched there already wait until these are judged. Costs nothing where nothing is watched.
 *
 * @throws {Problem} `validation_failed` for a signal that is not there
 */
export async function beginProofs(
  { emit }: Pick<ConfigDeps, 'emit'>,
  tx: Tx,
  orgId: string,
  { publication, policies, confirmation }: BeginProofs,
): Promise<void> {
  const { prove } = confirmation
  if (prove === null) return
  const watched = publication.versions.flatMap((version) => {
    const policy = policies.get(version.environmentId)?.protection.prove ?? null
    const terms = joinProofs(policy, prove ?? null)
    // Nobody has read anything before a first version, and what reads the same has nothing to be judged by.
    return terms === null || version.version === 1 || version.changes.length === 0
      ? []
      : [{ version, terms }]
  })
  if (prove !== undefined) await requireSignals(tx, orgId, prove)
  if (watched.length === 0) return
  const tree = toTree(await listEnvironmentRows(tx, orgId))
  const proofs = watched.map((each) => toProof({ publication, tree }, each))
  const environments = new Set(proofs.map(({ environmentId }) => environmentId))
  const earlier = (await listWatching(tx, orgId)).filter(
    ({ waitsFor, environmentId }) => waitsFor === null && environments.has(environmentId),
  )
  await addProofs(tx, orgId, proofs)
  for (const { id } of [...proofs, ...earlier]) await emit(tx, 'proof.changed', { orgId, id })
  for (const { id } of proofs) await emit(tx, 'proof.begun', { orgId, id })
}

async function requireSignals(tx: Tx, orgId: string, { signals }: ProofTerms): Promise<void> {
  const known = new Set((await listSignalRows(tx, orgId, signals)).map(({ id }) => id))
  const named = nameIds(['prove', 'signals'], signals)
  requireKnownIds({ named, known, detail: describeUnknown('signal') })
}

function toProof(
  { publication, tree }: { readonly publication: Publication; readonly tree: EnvironmentTree },
  { version, terms }: { readonly version: VersionRecord; readonly terms: ProofTerms },
): ProofRow {
  const { schemaId, environmentId, createdAt } = version
  return {
    id: newId('prf', createdAt),
    schemaId,
    environmentId,
    version: version.version,
    versionId: version.id,
    writeId: publication.versions[0]?.id ?? version.id,
    origins: findOrigins(publication, tree, version),
    keys: keysOf(version),
    reached: Object.fromEntries(
      publication.versions
        .filter((each) => each.schemaId === schemaId)
        .map((each) => [each.environmentId, keysOf(each)]),
    ),
    killedKeys: listKilled(publication, schemaId),
    // A person who goes back decides: nothing brings back what they have removed.
    terms: goesBack(publication, schemaId) ? { ...terms, onFailure: 'tell' } : terms,
    authorId: version.author.id,
    state: 'watching',
    fence: 0,
    startedAt: createdAt,
    watchedAt: createdAt,
    until: new Date(createdAt.getTime() + terms.minutes * 60_000),
    waitsFor: null,
    endedAt: null,
    reason: null,
    restored: null,
    notRestored: null,
    stopped: null,
  }
}

/** Returns whether the write makes an earlier version of a schema current again. */
function goesBack({ versions }: Publication, schemaId: string): boolean {
  return versions.some((each) => each.schemaId === schemaId && each.kind === 'restore')
}

function keysOf({ changes }: VersionRecord): string[] {
  return changes.map(({ key }) => key)
}

/** Returns the versions of this write that set something in the environment, or in those that it inherits from. */
function findOrigins(
  { versions }: Publication,
  tree: EnvironmentTree,
  { schemaId, environmentId }: VersionRecord,
): OriginOf[] {
  const set = new Map(
    versions
      .filter((version) => version.schemaId === schemaId && setting.has(version.kind))
      .map((version) => [version.environmentId, version.version]),
  )
  return chainOf(tree, environmentId).flatMap(({ id }) => {
    const version = set.get(id)
    return version === undefined ? [] : [{ environmentId: id, version }]
  })
}

/** Returns the keys of a schema whose kill switch the write turned off somewhere. */
function listKilled({ effects }: Publication, schemaId: string): string[] {
  const killed = effects.filter(
    (effect) => effect.lenient === 'off' && effect.schemaId === schemaId,
  )
  return [...new Set(killed.flatMap(({ key }) => key ?? []))]
}
