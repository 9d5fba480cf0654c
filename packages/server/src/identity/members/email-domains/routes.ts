import { limits, Problem } from '@signalbox/contract'
import { singleSignOnEndpoints as endpoints } from '@signalbox/contract/rest'
import type { EmailDomainDocument } from '@signalbox/contract/rest'
import { makerOf, presentAuthor, presentCredential, toAuthor } from '../../../audit/author.ts'
import { recordAuditEvent } from '../../../audit/record-event.ts'
import { newOpaqueToken } from '../../../crypto/opaque-tokens.ts'
import { notFound } from '../../../http/answers/problem-response.ts'
import type { Router } from '../../../http/router.ts'
import { toCaller, type Caller } from '../../caller.ts'
import { lockOrganization } from '../../organizations/rows.ts'
import { checkDomain, type CheckDomainDeps } from './check-domain.ts'
import {
  listRecordNames,
  missingMs,
  refusePublicDomain,
  renderRecord,
  type EmailDomain,
} from './email-domain.ts'
import { deleteEmailDomain, insertEmailDomain, listEmailDomainRows } from './rows.ts'

/** Mounts `/organizations/{org_id}/email-domains`. */
export function mountEmailDomains(router: Router, deps: CheckDomainDeps): void {
  router
    .add(endpoints.listEmailDomains, {
      handle: ({ organization, scope }) =>
        deps.store.transaction(scope, (tx) => listEmailDomainRows(tx, organization.id)),
      present: (rows) => ({ items: rows.map(presentDomain) }),
    })
    .add(endpoints.addEmailDomain, {
      handle: (request) =>
        addDomain(deps, {
          orgId: request.organization.id,
          domain: request.body.domain,
          caller: toCaller(request),
        }),
      present: presentDomain,
    })
    .add(endpoints.checkEmailDomain, {
      handle: (request) =>
        checkDomain(deps, {
          orgId: request.organization.id,
          domain: request.params.domain,
          caller: toCaller(request),
        }),
      present: presentDomain,
    })
    .add(endpoints.removeEmailDomain, {
      handle: (request) =>
        removeDomain(deps, {
          orgId: request.organization.id,
          domain: request.params.domain,
          caller: toCaller(request),
        }),
    })
}

interface OwnDomain {
  readonly orgId: string
  readonly domain: string
  readonly caller: Caller
}

/** @throws {Problem} `validation_failed`, `already_exists`, `quota_exceeded` */
function addDomain(
  { store, now }: CheckDomainDeps,
  { orgId, domain, caller }: OwnDomain,
): Promise<EmailDomain> {
  refusePublicDomain(domain)
  const author = toAuthor(caller.actor)
  const createdBy = makerOf({ author, request: caller.request })
  const added = { domain, challenge: newOpaqueToken().token, createdAt: now(), createdBy }
  return store.transaction(caller.scope, async (tx) => {
    await lockOrganization(tx, orgId)
    const { length } = await listEmailDomainRows(tx, orgId)
    if (length >= limits.emailDomainsPerOrganization) {
      const detail = `An organization has at most ${limits.emailDomainsPerOrganization} e-mail domains. Remove one that you don’t use.`
      throw new Problem('quota_exceeded', detail)
    }
    if (!(await insertEmailDomain(tx, orgId, added))) {
      const detail = 'The organization has this domain already. Check its record.'
      throw new Problem('already_exists', detail, {
        errors: [{ pointer: '/domain', code: 'already_exists', detail }],
      })
    }
    recordAuditEvent(tx, {
      orgId,
      actor: author,
      action: 'email_domain.added',
      target: { type: 'email_domain', id: domain, name: domain },
      request: caller.request,
    })
    return { ...added, verifiedAt: null, checkedAt: null, lastCheck: null, missingSince: null }
  })
}

/** @throws {Problem} `not_found` */
function removeDomain(
  { store }: CheckDomainDeps,
  { orgId, domain, caller }: OwnDomain,
): Promise<void> {
  return store.transaction(caller.scope, async (tx) => {
    if (!(await deleteEmailDomain(tx, orgId, domain))) throw notFound()
    recordAuditEvent(tx, {
      orgId,
      actor: toAuthor(caller.actor),
      action: 'email_domain.removed',
      target: { type: 'email_domain', id: domain, name: domain },
      request: caller.request,
    })
  })
}

function presentDomain(row: EmailDomain): EmailDomainDocument {
  const { domain, verifiedAt, checkedAt, lastCheck, missingSince, createdAt, createdBy } = row
  const isMissing = verifiedAt !== null && missingSince !== null
  return {
    domain,
    state: isMissing ? 'missing' : verifiedAt === null ? 'unverified' : 'verified',
    recordNames: [...listRecordNames(domain)],
    recordValue: renderRecord(row),
    verifiedAt: verifiedAt?.toISOString() ?? null,
    checkedAt: checkedAt?.toISOString() ?? null,
    lastCheck,
    endsAt: isMissing ? new Date(missingSince.getTime() + missingMs).toISOString() : null,
    createdAt: createdAt.toISOString(),
    createdBy: presentAuthor(createdBy),
    createdWith: presentCredential(createdBy),
  }
}
