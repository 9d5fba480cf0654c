import { timingSafeEqual } from 'node:crypto'
import { Problem } from '@signalbox/contract'
import type { AuditRequest, Author } from '../../../audit/audit-event.ts'
import { toAuditRequest } from '../../../audit/caller.ts'
import { readToken } from '../../../crypto/tokens.ts'
import { notFound } from '../../../http/answers/problem-response.ts'
import type { EndpointRequest } from '../../../http/input/endpoint-request.ts'
import type { EndpointShape } from '@signalbox/contract/rest'
import type { Store, Tx } from '../../../store/store.ts'
import { findScimTokenOwner, touchScimToken } from './tokens/rows.ts'

/** Describes what SCIM needs of the process. */
export interface ScimDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly publicUrl: () => string
  readonly now: () => Date
  /** Counts what a member made that goes on without them. */
  readonly countMade: (tx: Tx, orgId: string, userId: string) => Promise<number>
}

/** Describes the directory that sends a request. */
export interface Directory {
  readonly orgId: string
  /** Begins the addresses of resources, in the way that the directory has written the organization. */
  readonly base: string
  readonly author: Author
  readonly request: AuditRequest
}

type Sent = Pick<
  EndpointRequest<EndpointShape>,
  'header' | 'checkSender' | 'requestId' | 'ip' | 'userAgent'
>

const bearer = /^Bearer +(\S{1,4096}) *$/i

/**
 * Finds the directory by its token, which opens SCIM of its organization and nothing else.
 *
 * @throws {Problem} `missing_credentials`, `invalid_credentials`, `rate_limited`; `not_found` for another organization
 */
export async function findDirectory(
  { store, publicUrl, now }: Pick<ScimDeps, 'store' | 'publicUrl' | 'now'>,
  sent: Sent,
  organization: string,
): Promise<Directory> {
  const header = sent.header('authorization')
  if (header === undefined) {
    throw new Problem('missing_credentials', 'Send a SCIM token as "Authorization: Bearer …".')
  }
  const owner = await sent.checkSender(async (beforeLookup) => {
    const token = bearer.exec(header)?.[1] ?? ''
    const read = readToken(token)
    if (read?.kind !== 'scm') throw invalidToken()
    beforeLookup(token)
    const row = await store.maintenance(async (tx) => {
      const known = await findScimTokenOwner(tx, read.handle)
      if (known === undefined || !timingSafeEqual(known.hash, read.hash)) return undefined
      await touchScimToken(tx, known, now())
      return known
    })
    if (row === undefined) throw invalidToken()
    return row
  })
  if (organization !== owner.orgId && organization !== owner.slug) throw notFound()
  return {
    orgId: owner.orgId,
    base: `${publicUrl()}/organizations/${organization}/scim/v2`,
    author: { type: 'system', id: owner.id, name: `The directory ${owner.name}` },
    request: toAuditRequest({ requestId: sent.requestId, ip: sent.ip, userAgent: sent.userAgent }),
  }
}

function invalidToken(): Problem {
  const detail =
    'The SCIM token is unknown or incomplete. Copy the whole token (sbx_scm_…), or create one under Settings, Single sign-on.'
  return new Problem('invalid_credentials', detail)
}
