import type { Tx } from '../../store/store.ts'

/** Describes an e-mail domain whose record is gone. */
export interface MissingDomain {
  readonly domain: string
  readonly missingSince: Date
  /** Says whether the proof has ended. */
  readonly isOver: boolean
}

/** Lists the domains whose record is gone, and whose proof has ended for it since then. */
export async function listMissingDomains(
  tx: Tx,
  orgId: string,
  since: Date,
): Promise<MissingDomain[]> {
  return tx.query<MissingDomain>({
    name: 'list-missing-domains',
    text: `select domain, missing_since as "missingSince", verified_at is null as "isOver" from email_domains
      where org_id = $1 and missing_since is not null and (verified_at is not null or missing_since > $2::timestamptz - interval '7 days') order by domain`,
    values: [orgId, since],
  })
}
