import { notFound } from '../../http/answers/problem-response.ts'
import type { Caller } from '../../config-model/caller.ts'
import { asService } from './as-service.ts'
import { findConflicts, hideEffect } from './keep-effects.ts'
import { nameAuthors } from './name-authors.ts'
import { openOperations, planRequest } from './plan-request.ts'
import { isReached, readRequest, type WholeRequest } from './read-standing.ts'
import type { RequestDeps } from './request-deps.ts'
import type { Conflict, KeptEffect } from './request.ts'

interface Effects extends Pick<WholeRequest, 'policies'> {
  readonly effects: readonly KeptEffect[]
  readonly conflicts: readonly Conflict[]
}

/**
 * Returns what reviewers see of a request, or what it would change now with the places where that differs. One that has ended is
 * shown as its reviewers saw it.
 *
 * @throws {Problem} `not_found`, and what the operation is refused with now
 */
export async function getEffects(
  deps: RequestDeps,
  caller: Caller,
  { ref, isNow }: { readonly ref: string; readonly isNow: boolean },
): Promise<Effects> {
  const { orgId } = caller
  const { whole, operation } = await deps.store.transaction(caller.scope, async (tx) => {
    const request = await readRequest(tx, caller, { ref })
    const { id } = request.request
    const operations = await openOperations(deps, tx, orgId, [id])
    return { whole: request, operation: operations.get(id) }
  })
  const { policies } = whole
  if (!isNow || operation === undefined) {
    return { policies, effects: whole.effects, conflicts: whole.request.conflict ?? [] }
  }
  // With every right, because it reads only: what the caller may do is asked when it is applied.
  const effects = await planRequest(deps, asService(whole.request, orgId), {
    whole: operation,
    authorizeReveal: () => undefined,
  })
  const conflicts = await deps.store.transaction(caller.scope, (tx) =>
    nameAuthors(tx, orgId, findConflicts(whole.effects, effects)),
  )
  // It may reach further by now than when the key was allowed to know of it.
  if (!isReached(caller, { effects })) throw notFound()
  return { policies, effects: effects.map(hidingSecretsOf(whole.effects)), conflicts }
}

/** Returns a function that hides what a request sets as a secret, although the key has become public since. */
function hidingSecretsOf(reviewed: readonly KeptEffect[]): (effect: KeptEffect) => KeptEffect {
  const secrets = new Set(reviewed.filter(isSecret).map(nameOf))
  return (effect) => (secrets.has(nameOf(effect)) ? hideEffect(effect) : effect)
}

function nameOf({ schemaId, key }: KeptEffect): string {
  return JSON.stringify([schemaId, key])
}

function isSecret({ before, after }: KeptEffect): boolean {
  return (before?.mark ?? after?.mark) !== undefined
}
