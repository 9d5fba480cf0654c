import { Problem } from '@signalbox/contract'
import { systemAuthor, type AuditEvent } from '../../../audit/audit-event.ts'
import { toAuthor } from '../../../audit/author.ts'
import { recordMaintenanceEvent } from '../../../audit/record-event.ts'
import { notFound } from '../../../http/answers/problem-response.ts'
import type { Store } from '../../../store/store.ts'
import type { Caller } from '../../caller.ts'
import {
  listRecordNames,
  missingMs,
  renderRecord,
  type DomainCheck,
  type EmailDomain,
} from './email-domain.ts'
import type { ReadTxt } from './read-txt.ts'
import {
  listDomainClaims,
  listEmailDomainRows,
  lockDomainClaims,
  updateEmailDomain,
  type DomainClaim,
} from './rows.ts'

export interface CheckDomainDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly readTxt: ReadTxt
  readonly now: () => Date
}

export interface CheckDomain {
  readonly orgId: string
  readonly domain: string
  readonly caller: Caller
}

/**
 * Looks for the record of a domain, which verifies it.
 *
 * @throws {Problem} `not_found`; `conflict` when another organization has verified the domain.
 */
export async function checkDomain(
  deps: CheckDomainDeps,
  { orgId, domain, caller }: CheckDomain,
): Promise<EmailDomain> {
  const domains = await deps.store.transaction(caller.scope, (tx) => listEmailDomainRows(tx, orgId))
  const row = domains.find((each) => each.domain === domain)
  if (row === undefined) throw notFound()
  const lastCheck = await findRecord(deps.readTxt, row)
  const event = { actor: toAuthor(caller.actor), request: caller.request }
  const { claim, isHeld } = await applyCheck(deps, { ...row, orgId }, lastCheck, event)
  if (claim === undefined) throw notFound()
  if (isHeld) {
    const detail =
      'The record is there, but another organization of this server has verified the domain. An owner of that organization has to remove it there first.'
    throw new Problem('conflict', detail)
  }
  return claim
}

/** Looks for the records of all domains. One that cannot be asked for stays as it is. */
export async function checkAllDomains(deps: CheckDomainDeps): Promise<void> {
  const claims = await deps.store.maintenance(listDomainClaims)
  for (const claim of claims) {
    const lastCheck = await findRecord(deps.readTxt, claim)
    await applyCheck(deps, claim, lastCheck, { actor: systemAuthor })
  }
}

/** Looks for the record at each of its names. */
async function findRecord(readTxt: ReadTxt, claim: EmailDomain): Promise<DomainCheck> {
  const answers = await Promise.all(listRecordNames(claim.domain).map(readTxt))
  if (answers.some((texts) => texts?.includes(renderRecord(claim)))) return 'found'
  return answers.includes(undefined) ? 'unreachable' : 'absent'
}

interface Applied {
  /** `undefined`: the domain was removed meanwhile, or added anew with another record. */
  readonly claim: EmailDomain | undefined
  /** Says that another organization has verified it. */
  readonly isHeld: boolean
}

function applyCheck(
  { store, now }: CheckDomainDeps,
  { orgId, domain, challenge }: DomainClaim,
  lastCheck: DomainCheck,
  event: Pick<AuditEvent, 'actor' | 'request'>,
): Promise<Applied> {
  return store.maintenance(async (tx) => {
    const claims = await lockDomainClaims(tx, domain)
    const own = claims.find((each) => each.orgId === orgId && each.challenge === challenge)
    if (own === undefined) return { claim: undefined, isHeld: false }
    const isHeld = claims.some((each) => each !== own && each.verifiedAt !== null)
    const checkedAt = now()
    const proof = judgeProof(own, lastCheck, checkedAt)
    const verifiedAt = isHeld ? null : proof.verifiedAt
    const claim = { ...own, ...proof, verifiedAt, checkedAt, lastCheck }
    await updateEmailDomain(tx, own, claim)
    if ((own.verifiedAt === null) !== (verifiedAt === null)) {
      recordMaintenanceEvent(tx, {
        ...event,
        orgId,
        action: verifiedAt === null ? 'email_domain.unverified' : 'email_domain.verified',
        target: { type: 'email_domain', id: domain, name: domain },
      })
    }
    return { claim, isHeld: isHeld && lastCheck === 'found' }
  })
}

/** Returns what a check says of a proof: a record that is gone ends it after some days, DNS that does not answer never does. */
function judgeProof(
  { verifiedAt, missingSince }: EmailDomain,
  lastCheck: DomainCheck,
  now: Date,
): Pick<EmailDomain, 'verifiedAt' | 'missingSince'> {
  if (lastCheck === 'found') return { verifiedAt: verifiedAt ?? now, missingSince: null }
  if (lastCheck === 'unreachable' || verifiedAt === null) return { verifiedAt, missingSince }
  const since = missingSince ?? now
  const isOver = now.getTime() - since.getTime() >= missingMs
  return isOver ? { verifiedAt: null, missingSince: since } : { verifiedAt, missingSince: since }
}
