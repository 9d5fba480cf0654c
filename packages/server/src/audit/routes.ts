import { identityEndpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Router } from '../http/router.ts'
import type { Store } from '../store/store.ts'
import { listAuditEvents } from './list-audit-events.ts'
import { presentEvent } from './present-event.ts'

export interface AuditDeps {
  readonly store: Pick<Store, 'transaction'>
}

/** Mounts `GET /organizations/{org_id}/audit-events`. */
export function mountAudit(router: Router, deps: AuditDeps): void {
  router.add(identityEndpoints.listAuditEvents, {
    handle({ organization, scope, query, readCursor }) {
      const { limit, action, actor, from, to } = query
      return listAuditEvents(deps, {
        orgId: organization.id,
        scope,
        filter: { action, actor, from: toMoment(from), to: toMoment(to) },
        beforeSequence: readCursor(z.number().int().positive()),
        limit: limit + 1,
      })
    },
    present(events, { query, writeCursor }) {
      const items = events.slice(0, query.limit)
      const last = events.length > query.limit ? items.at(-1) : undefined
      return {
        items: items.map(presentEvent),
        nextCursor: last === undefined ? null : writeCursor(last.sequence),
      }
    },
  })
}

function toMoment(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text)
}
