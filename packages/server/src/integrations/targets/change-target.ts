import { Problem } from '@signalbox/contract'
import type { TargetStore } from '@signalbox/contract/rest'
import type { Caller } from '../../config-model/caller.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Tx } from '../../store/store.ts'
import { recordTargetEvent, requireSelection } from './create-target.ts'
import { askDestination } from './explain-failure.ts'
import { adoptNameRow } from './name-rows.ts'
import { requireDescriptor } from './open-destination.ts'
import { slotOf } from './plan-names.ts'
import type { TargetDeps } from './target-deps.ts'
import { deleteTargetRow, lockTargetRow, updateTargetRow, wantRunRow } from './target-rows.ts'
import { readTarget } from './read-targets.ts'
import {
  tokenContext,
  type SealedTarget,
  type ShownTarget,
  type TargetSelection,
} from './target.ts'

/** Describes what a request changes of a target. What is left out stays. */
type TargetChanges = {
  readonly [Name in keyof TargetSelection]?: TargetSelection[Name] | undefined
} & { readonly name?: string | undefined; readonly token?: string | undefined }

/** Locks a target. @throws {Problem} `not_found` */
async function requireTarget(tx: Tx, orgId: string, id: string): Promise<SealedTarget> {
  const target = await lockTargetRow(tx, orgId, id)
  if (target === undefined) throw notFound()
  return target
}

function requireKept({ state }: SealedTarget): void {
  if (state !== 'deleting') return
  const detail = 'Signalbox is deleting this target. It can no longer be changed.'
  throw new Problem('conflict', detail)
}

/**
 * Changes the name, the keys or the token of a target. A new token is tried first, at the same destination.
 *
 * @throws {Problem} `not_found`, `conflict`, `validation_failed`, `provider_error`
 */
export async function updateTarget(
  deps: TargetDeps,
  caller: Caller,
  id: string,
  { token, ...changes }: TargetChanges,
): Promise<ShownTarget> {
  const { orgId, scope } = caller
  if (token !== undefined) await requireGoodToken(deps, caller, { id, token })
  return deps.store.transaction(scope, async (tx) => {
    const known = await requireTarget(tx, orgId, id)
    requireKept(known)
    const sealer = token === undefined ? undefined : await deps.keys.getSealer(tx, orgId)
    const target: SealedTarget = {
      ...known,
      name: changes.name ?? known.name,
      tiers: [...new Set(changes.tiers ?? known.tiers)],
      keys: [...new Set(changes.keys ?? known.keys)],
      prefix: changes.prefix ?? known.prefix,
      sealedToken: sealer?.seal(tokenContext(orgId, id), token ?? '') ?? known.sealedToken,
    }
    requireSelection(target)
    const isWanted = Object.keys(changes).some((name) => name !== 'name') || token !== undefined
    await updateTargetRow(tx, orgId, target, { isWanted: isWanted && target.state === 'active' })
    recordTargetEvent(tx, caller, {
      action: 'target.updated',
      target,
      detail: { fields: [...Object.keys(changes), ...(token === undefined ? [] : ['token'])] },
    })
    return readTarget(tx, orgId, id)
  })
}

/** Refuses a token that does not reach the target's own destination. */
async function requireGoodToken(
  deps: TargetDeps,
  { orgId, scope }: Caller,
  { id, token }: { readonly id: string; readonly token: string },
): Promise<void> {
  const target = await deps.store.transaction(scope, (tx) => requireTarget(tx, orgId, id))
  const { provider, destination, destinationName } = target
  if (requireDescriptor(provider).access !== 'token') {
    const detail = 'This target uses the connected integration. Leave out the token.'
    throw new Problem('validation_failed', `/token: ${detail}`, {
      errors: [{ pointer: '/token', code: 'validation_failed', detail }],
    })
  }
  const address = await askDestination(deps, { provider, destinationName }, async () =>
    (await deps.openTarget({ orgId, provider, token })).locate(destination),
  )
  if (address.id === target.address) return
  const detail = `With this token the destination is ${address.name}, which is another one. Create another target for it.`
  throw new Problem('conflict', detail)
}

/**
 * Stops writing, or starts again with what has changed since. The person who resumes a target becomes responsible for
 * it. @throws {Problem} `not_found`, `conflict`
 */
export async function pauseTarget(
  { store }: TargetDeps,
  caller: Caller,
  { id, isPaused }: { readonly id: string; readonly isPaused: boolean },
): Promise<ShownTarget> {
  return store.transaction(caller.scope, async (tx) => {
    const known = await requireTarget(tx, caller.orgId, id)
    requireKept(known)
    if (known.state === 'planned') {
      throw new Problem('conflict', 'This target has not run yet. Read its plan, then run it.')
    }
    const target: SealedTarget = isPaused
      ? { ...known, state: 'paused' }
      : { ...known, state: 'active', keeperId: caller.scope.userId ?? null }
    if (target.state !== known.state) {
      await updateTargetRow(tx, caller.orgId, target, { isWanted: !isPaused })
      recordTargetEvent(tx, caller, {
        action: isPaused ? 'target.paused' : 'target.resumed',
        target,
      })
    }
    return readTarget(tx, caller.orgId, id)
  })
}

/** Names a name at a destination. */
interface AdoptedName {
  readonly store: TargetStore
  readonly name: string
}

/**
 * Asks for a run. The first one makes the target active. Adopted names belong to Signalbox from then on.
 *
 * @throws {Problem} `not_found`, `conflict`
 */
export async function requestRun(
  { store, jobs }: TargetDeps,
  caller: Caller,
  { id, adopt }: { readonly id: string; readonly adopt: readonly AdoptedName[] },
): Promise<ShownTarget> {
  const { orgId } = caller
  return store.transaction(caller.scope, async (tx) => {
    const target = await requireTarget(tx, orgId, id)
    requireKept(target)
    if (target.state === 'paused') {
      throw new Problem('conflict', 'This target is paused. Resume it first.')
    }
    const rules = requireDescriptor(target.provider)
    for (const { store: kind, name } of adopt) {
      const slot = slotOf(rules, { store: kind, name })
      await adoptNameRow(tx, orgId, id, { slot, store: kind, name })
    }
    await wantRunRow(tx, orgId, { id, state: 'active' })
    await jobs.enqueue(tx, 'targets.run', { orgId, id }, { key: id })
    recordTargetEvent(tx, caller, {
      action: 'target.run_requested',
      target,
      detail: { adopted: adopt.map(({ name }) => name) },
    })
    return readTarget(tx, orgId, id)
  })
}

/**
 * Deletes a target. If its names are removed too, a run removes them first and then deletes the target.
 *
 * @throws {Problem} `not_found`
 */
export async function deleteTarget(
  { store, jobs }: TargetDeps,
  caller: Caller,
  { id, names }: { readonly id: string; readonly names: 'keep' | 'remove' },
): Promise<void> {
  const { orgId } = caller
  await store.transaction(caller.scope, async (tx) => {
    const target = await requireTarget(tx, orgId, id)
    recordTargetEvent(tx, caller, { action: 'target.deleted', target, detail: { names } })
    if (names === 'keep') {
      await deleteTargetRow(tx, orgId, id)
      return
    }
    await wantRunRow(tx, orgId, { id, state: 'deleting' })
    await jobs.enqueue(tx, 'targets.run', { orgId, id }, { key: id })
  })
}
