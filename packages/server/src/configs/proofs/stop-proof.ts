import { may, Problem } from '@signalbox/contract'
import { requireReach } from '../../config-model/caller.ts'
import { requireSession } from '../requests/review-request.ts'
import { endProof, storeProofs } from './end-proof.ts'
import { getProof, type ProofView, type ProofViewer } from './list-proofs.ts'
import type { ProofDeps } from './proof-deps.ts'
import { lockWatching } from './proof-rows.ts'

interface StopProof {
  readonly id: string
  readonly as: 'proven' | 'tell'
}

/**
 * Ends a proof by the word of a person: as proven, or without a result.
 *
 * @throws {Problem} `not_found`, `session_required`, `role_forbidden`, `own_request`, `conflict` once it has ended
 */
export async function stopProof(
  deps: ProofDeps,
  viewer: ProofViewer,
  { id, as }: StopProof,
): Promise<ProofView> {
  const { caller, actor } = viewer
  const { orgId, author } = caller
  const person = requireSession(actor, 'stop a proof')
  return deps.store.transaction(caller.scope, async (tx) => {
    const stored = await lockWatching(tx, orgId)
    const view = await getProof(deps, tx, caller, id)
    requireReach(caller, 'writeValues', view.proof)
    const rejection = findStopProblem(view, viewer)
    if (rejection !== undefined) throw rejection
    const proof = stored.find((each) => each.id === id)
    if (proof === undefined) throw new Problem('conflict', 'The proof has ended already.')
    const proofs = new Map(stored.map((each) => [each.id, each]))
    const member = { id: person.userId, name: person.name }
    const detail = as === 'proven' ? 'says that it is proven' : 'ended it without a result'
    endProof(
      proofs,
      proof,
      {
        state: as === 'proven' ? 'proven' : 'stopped',
        reason: { code: 'stopped', signal: null, detail: `${person.name} ${detail}` },
        stopped: { member, as },
      },
      deps.now(),
    )
    await storeProofs(deps, tx, orgId, {
      stored,
      proofs,
      by: { actor: author, request: caller.request },
    })
    return getProof(deps, tx, caller, id)
  })
}

/** Returns why somebody may not stop a proof: it is part of what others have asked for. `undefined`: they may. */
export function findStopProblem(
  { proof, policies }: ProofView,
  { caller, actor }: ProofViewer,
): Problem | undefined {
  const { environmentId, schemaId } = proof
  const protection = policies.get(environmentId)?.protection
  if (actor.type !== 'user' || actor.via !== 'session')
    return new Problem('session_required', 'Sign in to the dashboard to stop a proof.')
  if (!may(caller.permissions, 'writeValues', { environmentId, schemaId }))
    return new Problem('role_forbidden', 'You don’t write values in this environment.')
  if (protection?.prove && !may(caller.permissions, 'deleteConfig', { environmentId, schemaId }))
    return new Problem(
      'role_forbidden',
      'The policy of the environment asks for this proof. An admin may stop it.',
    )
  if ((protection?.approvals ?? 0) > 0 && proof.authorId === actor.userId)
    return new Problem(
      'own_request',
      'The environment needs approvals, so somebody else stops the proof of your change.',
    )
  return undefined
}
