import { auditEndpoints as endpoints, type ResponseOf } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Router } from '../http/router.ts'
import type { Store } from '../store/store.ts'
import { toSender } from './caller.ts'
import { createChainVerifier, type ChainVerifierDeps } from './chain-verifier.ts'
import { exportAuditEvents, exportTypes } from './export-audit-events.ts'
import { listAuditEvents } from './list-audit-events.ts'
import { presentEvent } from './present-event.ts'

type ShownChain = ResponseOf<typeof endpoints.verifyAuditChain>

export interface AuditDeps extends ChainVerifierDeps {
  readonly store: Pick<Store, 'transaction'>
}

/** Mounts the audit events of an organization: as pages, as a whole, and whether their chain is whole. */
export function mountAudit(router: Router, deps: AuditDeps): void {
  const verify = createChainVerifier(deps)
  router.add(endpoints.verifyAuditChain, {
    handle: ({ organization }) => verify(organization.id),
    present: ({ checkedAt, events, headHash, violation }): ShownChain => ({
      state: violation === undefined ? 'intact' : 'broken',
      verified: events,
      headHash: events === 0 ? null : headHash,
      fault: violation ?? null,
      checkedAt: checkedAt.toISOString(),
    }),
  })
  router.addStream(endpoints.exportAuditEvents, (request, begin) => {
    const { organization, scope, query } = request
    const { format, afterSequence, action, actor, from, to, query: text } = query
    const by = toSender(request)
    const filter = { action, actor, from: toMoment(from), to: toMoment(to), query: text }
    const out = () =>
      begin(
        {
          'Content-Type': `${exportTypes[format]}; charset=utf-8`,
          'Content-Disposition': `attachment; filename="audit-${organization.slug}.${format}"`,
        },
        // An export that breaks off must not look like a whole one.
        { framed: true },
      )
    const mayGoOn = request.isStillAuthorized
    const chosen = { filter, format, afterSequence }
    const options = { orgId: organization.id, scope, ...chosen, mayGoOn, ...by }
    return exportAuditEvents(deps, options, out)
  })
  router.addPage(endpoints.listAuditEvents, {
    position: z.number().int().positive(),
    list({ organization, scope, query }, { after, limit }) {
      const { action, actor, from, to, query: text } = query
      return listAuditEvents(deps, {
        orgId: organization.id,
        scope,
        filter: { action, actor, from: toMoment(from), to: toMoment(to), query: text },
        beforeSequence: after,
        limit: limit + 1,
      })
    },
    positionOf: ({ sequence }) => sequence,
    present: presentEvent,
  })
}

function toMoment(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text)
}
