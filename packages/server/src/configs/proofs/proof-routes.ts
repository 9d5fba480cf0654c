import { proofEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Actor } from '../../http/admission/actor.ts'
import type { Router } from '../../http/router.ts'
import { toCaller } from '../to-caller.ts'
import { getProof, listProofs, type ProofView, type ProofViewer } from './list-proofs.ts'
import { presentProof, presentProofSummary } from './present-proof.ts'
import type { ProofDeps } from './proof-deps.ts'
import { stopProof } from './stop-proof.ts'

type AnyRequest = Parameters<typeof toCaller>[0] & { readonly actor: Actor }

function viewerOf(request: AnyRequest): ProofViewer {
  return { caller: toCaller(request), actor: request.actor }
}

const present = (view: ProofView, request: AnyRequest) => presentProof(view, viewerOf(request))

/** Serves the endpoints of proofs. */
export function mountProofs(router: Router, deps: ProofDeps): void {
  router
    .addPage(endpoints.listProofs, {
      position: z.string(),
      list: ({ query, ...request }, { after, limit }) =>
        listProofs(deps, toCaller(request), {
          state: query.state ?? null,
          environmentId: query.environment ?? null,
          schemaId: query.schema ?? null,
          versionId: query.version ?? null,
          below: after ?? null,
          limit: limit + 1,
        }),
      positionOf: ({ proof }) => proof.id,
      present: (view, request) => presentProofSummary(view, viewerOf(request)),
    })
    .add(endpoints.getProof, {
      handle(request) {
        const caller = toCaller(request)
        return deps.store.transaction(caller.scope, (tx) =>
          getProof(deps, tx, caller, request.params.proof_id),
        )
      },
      present,
    })
    .add(endpoints.stopProof, {
      handle: ({ body, ...request }) =>
        stopProof(deps, viewerOf(request), { id: request.params.proof_id, as: body.as }),
      present,
    })
}
