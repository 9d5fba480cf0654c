import { commitCheckEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import { environmentsOf, toRestrictedCaller } from '../audit/caller.ts'
import type { Actor } from '../http/admission/actor.ts'
import { notFound } from '../http/answers/problem-response.ts'
import type { Router } from '../http/router.ts'
import { findCheckRow, pageCheckRows } from '../read-models/commit-checks/check-rows.ts'
import { presentCheck, type CheckReach } from './present-check.ts'
import { authorizeDefinition, uploadDefinition, type UploadDeps } from './upload-definition.ts'

const everything: CheckReach = { environmentIds: null, schemaIds: null }

function reachOf({ actor }: { readonly actor: Actor }): CheckReach {
  const schemaIds = actor.type === 'api_key' ? actor.schemaIds : null
  return { environmentIds: environmentsOf(actor), schemaIds }
}

/** Serves the endpoints of the checks of commits. */
export function mountCommitChecks(router: Router, deps: UploadDeps): void {
  router
    .add(endpoints.uploadCommitDefinition, {
      async handle(request) {
        const { params, requestId, ip, body } = request
        const authorization = request.header('authorization')
        const sent = { authorization, orgRef: params.org_id, requestId, ip }
        const sender = await request.checkSender((beforeLookup) =>
          authorizeDefinition(deps, { ...sent, beforeLookup }),
        )
        return uploadDefinition(deps, sender, body)
      },
      present: (row) => presentCheck(row, everything),
    })
    .addPage(endpoints.listCommitChecks, {
      position: z.string(),
      list({ query, ...request }, { after, limit }) {
        const { orgId, scope } = toRestrictedCaller(request)
        const { repository = null, sha = null, pullRequest = null, state = null } = query
        const below = after ?? null
        const filter = { repository, sha, pullRequest, state, below, limit: limit + 1 }
        return deps.store.transaction(scope, (tx) => pageCheckRows(tx, orgId, filter))
      },
      positionOf: ({ id }) => id,
      present: (row, request) => presentCheck(row, reachOf(request)),
    })
    .add(endpoints.getCommitCheck, {
      async handle(request) {
        const { orgId, scope } = toRestrictedCaller(request)
        const row = await deps.store.transaction(scope, (tx) =>
          findCheckRow(tx, orgId, request.params.check_id),
        )
        if (row === undefined) throw notFound()
        return row
      },
      present: (row, request) => presentCheck(row, reachOf(request)),
    })
}
