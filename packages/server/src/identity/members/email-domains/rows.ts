import type { Tx } from '../../../store/store.ts'
import type { DomainCheck, EmailDomain } from './email-domain.ts'

const columns = `domain, challenge, created_at as "createdAt", created_by as "createdBy", verified_at as "verifiedAt",
  checked_at as "checkedAt", last_check as "lastCheck", missing_since as "missingSince"`

/** Adds a domain. Returns whether the organization did not have it. */
export async function insertEmailDomain(
  tx: Tx,
  orgId: string,
  added: Pick<EmailDomain, 'domain' | 'challenge' | 'createdAt' | 'createdBy'>,
): Promise<boolean> {
  const { domain, challenge, createdAt, createdBy } = added
  const rows = await tx.query({
    name: 'insert-email-domain',
    text: `insert into email_domains (org_id, domain, challenge, created_at, created_by) values ($1, $2, $3, $4, $5)
      on conflict (org_id, domain) do nothing returning 1`,
    values: [orgId, domain, challenge, createdAt, JSON.stringify(createdBy)],
  })
  return rows.length === 1
}

/** Lists the domains of an organization. */
export async function listEmailDomainRows(tx: Tx, orgId: string): Promise<EmailDomain[]> {
  return tx.query<EmailDomain>({
    name: 'list-email-domains',
    text: `select ${columns} from email_domains where org_id = $1 order by domain`,
    values: [orgId],
  })
}

/** Deletes a domain. Returns whether there was one. */
export async function deleteEmailDomain(tx: Tx, orgId: string, domain: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'delete-email-domain',
    text: 'delete from email_domains where org_id = $1 and domain = $2 returning 1',
    values: [orgId, domain],
  })
  return rows.length === 1
}

/** Returns whether an organization has verified a domain. */
export async function isDomainVerified(tx: Tx, orgId: string, domain: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'is-domain-verified',
    text: 'select 1 from email_domains where org_id = $1 and domain = $2 and verified_at is not null',
    values: [orgId, domain],
  })
  return rows.length > 0
}

/** Describes a claim of an organization to a domain. */
export interface DomainClaim extends EmailDomain {
  readonly orgId: string
}

/** Lists the domains of every organization that is not deleted, for maintenance. */
export async function listDomainClaims(tx: Tx): Promise<DomainClaim[]> {
  return tx.query<DomainClaim>({
    name: 'list-domain-claims',
    text: `select org_id as "orgId", ${columns} from email_domains
      where org_id in (select id from organizations where deleted_at is null) order by domain, org_id`,
    values: [],
  })
}

/** Locks the claims of all organizations to a domain until the transaction ends, for maintenance: one of them can be verified. */
export async function lockDomainClaims(tx: Tx, domain: string): Promise<DomainClaim[]> {
  return tx.query<DomainClaim>({
    name: 'lock-domain-claims',
    text: `select org_id as "orgId", ${columns} from email_domains where domain = $1 order by org_id for update`,
    values: [domain],
  })
}

/** Stores what a check of a domain has changed, for maintenance. */
export async function updateEmailDomain(
  tx: Tx,
  { orgId, domain }: Pick<DomainClaim, 'orgId' | 'domain'>,
  checked: {
    readonly verifiedAt: Date | null
    readonly checkedAt: Date
    readonly lastCheck: DomainCheck
    readonly missingSince: Date | null
  },
): Promise<void> {
  const { verifiedAt, checkedAt, lastCheck, missingSince } = checked
  await tx.query({
    name: 'update-email-domain',
    text: `update email_domains set verified_at = $3, checked_at = $4, last_check = $5, missing_since = $6
      where org_id = $1 and domain = $2`,
    values: [orgId, domain, verifiedAt, checkedAt, lastCheck, missingSince],
  })
}
