import { limits, Problem } from '@signalbox/contract'
import { singleSignOnEndpoints as endpoints } from '@signalbox/contract/rest'
import { makerOf, presentAuthor, presentCredential, toAuthor } from '../../../../audit/author.ts'
import { recordAuditEvent } from '../../../../audit/record-event.ts'
import { newId } from '../../../../crypto/ids.ts'
import { newToken } from '../../../../crypto/tokens.ts'
import { notFound } from '../../../../http/answers/problem-response.ts'
import type { Router } from '../../../../http/router.ts'
import type { Store } from '../../../../store/store.ts'
import { tokenPrefix } from '../../../api-keys/api-key.ts'
import { toCaller, type Caller } from '../../../caller.ts'
import { listEmailDomainRows } from '../../email-domains/rows.ts'
import { lockOrganization } from '../../../organizations/rows.ts'
import { deleteScimToken, insertScimToken, listScimTokenRows, type ScimToken } from './rows.ts'

interface TokenDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly now: () => Date
}

/** Mounts `/organizations/{org_id}/scim-tokens`. */
export function mountScimTokens(router: Router, deps: TokenDeps): void {
  router
    .add(endpoints.listScimTokens, {
      handle: ({ organization, scope }) =>
        deps.store.transaction(scope, (tx) => listScimTokenRows(tx, organization.id)),
      present: (rows) => ({ items: rows.map(presentToken) }),
    })
    .add(endpoints.createScimToken, {
      handle: (request) =>
        createScimToken(deps, request.organization.id, request.body.name, toCaller(request)),
      present: (token) => ({ ...presentToken(token), secret: token.secret }),
      presentReplay: presentToken,
    })
    .add(endpoints.revokeScimToken, {
      handle: (request) =>
        revokeScimToken(
          deps,
          request.organization.id,
          request.params.scim_token_id,
          toCaller(request),
        ),
    })
}

/** @throws {Problem} `quota_exceeded`, `domain_unverified` */
function createScimToken(
  { store, now }: TokenDeps,
  orgId: string,
  name: string,
  { actor, request, scope }: Caller,
): Promise<ScimToken & { readonly secret: string }> {
  return store.transaction(scope, async (tx) => {
    await lockOrganization(tx, orgId)
    const domains = await listEmailDomainRows(tx, orgId)
    if (domains.every(({ verifiedAt }) => verifiedAt === null)) {
      const detail =
        'This organization has verified no e-mail domain. Verify one first: a directory adds only people with addresses of verified domains.'
      throw new Problem('domain_unverified', detail)
    }
    if ((await listScimTokenRows(tx, orgId)).length >= limits.scimTokensPerOrganization) {
      const detail = `An organization has at most ${limits.scimTokensPerOrganization} SCIM tokens. End the one that the directory does not use any more.`
      throw new Problem('quota_exceeded', detail)
    }
    const createdAt = now()
    const { token: secret, handle, hash } = newToken('scm')
    const createdBy = makerOf({ author: toAuthor(actor), request })
    const row = { id: newId('key', createdAt), name, handle, createdAt, createdBy }
    await insertScimToken(tx, orgId, { ...row, hash })
    recordAuditEvent(tx, {
      orgId,
      actor: toAuthor(actor),
      action: 'scim_token.created',
      target: { type: 'scim_token', id: row.id, name },
      request,
    })
    return { ...row, lastUsedAt: null, secret }
  })
}

/** Ends a token on every node at once: each request looks it up in the database. @throws {Problem} `not_found` */
function revokeScimToken(
  { store }: TokenDeps,
  orgId: string,
  id: string,
  { actor, request, scope }: Caller,
): Promise<void> {
  return store.transaction(scope, async (tx) => {
    const name = await deleteScimToken(tx, orgId, id)
    if (name === undefined) throw notFound()
    recordAuditEvent(tx, {
      orgId,
      actor: toAuthor(actor),
      action: 'scim_token.revoked',
      target: { type: 'scim_token', id, name },
      request,
    })
  })
}

function presentToken(token: ScimToken) {
  const { id, name, handle, createdAt, createdBy, lastUsedAt } = token
  return {
    id,
    name,
    prefix: tokenPrefix({ kind: 'scm', handle }),
    createdAt: createdAt.toISOString(),
    createdBy: presentAuthor(createdBy),
    createdWith: presentCredential(createdBy),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }
}
