import { memberEndpoints as endpoints, type MadeThing } from '@signalbox/contract/rest'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Router } from '../../http/router.ts'
import { displayNameOf } from '../../providers/find-provider.ts'
import type { Store } from '../../store/store.ts'
import { isMember, listMadeRows, type MadeRow } from './made-rows.ts'

/** Names the operation that pauses each kind. What has none is looked at by a person. */
const pausing: Readonly<Record<MadeThing['kind'], MadeThing['pausedBy']>> = {
  api_key: 'pauseApiKey',
  invitation: 'revokeInvitation',
  scim_token: null,
  sign_in_provider: null,
  outgoing_webhook: 'pauseOutgoingWebhook',
  target: 'pauseTarget',
  signal: null,
  member: null,
  grant: null,
  group_member: null,
  integration: null,
}

/** Mounts the list of what a member, or one of their tokens, made that goes on without them. */
export function mountMade(
  router: Router,
  { store, now }: { readonly store: Pick<Store, 'transaction'>; readonly now: () => Date },
): void {
  router.add(endpoints.listMadeByMember, {
    handle: ({ organization, scope, params, query }) =>
      store.transaction(scope, async (tx) => {
        const [orgId, userId] = [organization.id, params.user_id]
        const made = await listMadeRows(tx, orgId, { userId, tokenId: query.token, now: now() })
        // Of somebody who has left, what goes on is all that is known.
        if (made.length === 0 && !(await isMember(tx, orgId, userId))) throw notFound()
        return made
      }),
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
