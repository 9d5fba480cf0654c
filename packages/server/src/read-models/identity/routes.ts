import { memberEndpoints as endpoints, type MadeThing } from '@signalbox/contract/rest'
import type { Router } from '../../http/router.ts'
import { displayNameOf } from '../../providers/find-provider.ts'
import type { Store } from '../../store/store.ts'
import { listMadeRows, type MadeRow } from './made-rows.ts'

/** Names the operation that pauses each kind. What has none is looked at by a person. */
const pausing: Readonly<Record<MadeThing['kind'], MadeThing['pausedBy']>> = {
  api_key: 'pauseApiKey',
  invitation: 'revokeInvitation',
  outgoing_webhook: 'pauseOutgoingWebhook',
  target: 'pauseTarget',
  member: null,
  integration: null,
}

/** Mounts the list of what a member, or one of their tokens, made that goes on without them. */
export function mountMade(
  router: Router,
  { store, now }: { readonly store: Pick<Store, 'transaction'>; readonly now: () => Date },
): void {
  router.add(endpoints.listMadeByMember, {
    handle: ({ organization, scope, params, query }) =>
      store.transaction(scope, (tx) =>
        listMadeRows(tx, organization.id, {
          userId: params.user_id,
          tokenId: query.token,
          now: now(),
        }),
      ),
    present: (rows) => ({ items: rows.map(presentMade) }),
  })
}

function presentMade({ kind, id, name, did, at, lastUsedAt }: MadeRow): MadeThing {
  return {
    kind,
    id,
    name: kind === 'integration' ? displayNameOf(name) : name,
    did,
    at: at.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    pausedBy: pausing[kind],
  }
}
