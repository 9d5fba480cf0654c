import type { Maker } from '../../../audit/audit-event.ts'
import type { Tx } from '../../../store/store.ts'

/** Describes an OpenID provider of an organization. */
export interface SignInProvider {
  readonly orgId: string
  readonly id: string
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  /** Sealed under the key of the organization. */
  readonly sealedSecret: Buffer
  /** Names the claim that holds the groups of a person. */
  readonly groupsClaim: string
  readonly createdAt: Date
  readonly createdBy: Maker
  readonly revision: number
}

const columns = `org_id as "orgId", id, name, issuer, client_id as "clientId", sealed_secret as "sealedSecret",
  groups_claim as "groupsClaim", created_at as "createdAt", created_by as "createdBy", revision`

export async function insertSignInProvider(
  tx: Tx,
  provider: Omit<SignInProvider, 'revision'>,
): Promise<void> {
  const { orgId, id, name, issuer, clientId, sealedSecret, groupsClaim } = provider
  await tx.query({
    name: 'insert-sign-in-provider',
    text: `insert into sign_in_providers
        (org_id, id, name, issuer, client_id, sealed_secret, groups_claim, created_at, created_by)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [
      orgId,
      id,
      name,
      issuer,
      clientId,
      sealedSecret,
      groupsClaim,
      provider.createdAt,
      JSON.stringify(provider.createdBy),
    ],
  })
}

/** Lists the providers of an organization, the oldest first. */
export async function listSignInProviderRows(tx: Tx, orgId: string): Promise<SignInProvider[]> {
  return tx.query<SignInProvider>({
    name: 'list-sign-in-providers',
    text: `select ${columns} from sign_in_providers where org_id = $1 order by id`,
    values: [orgId],
  })
}

/** Updates a provider. Its issuer stays: the people who are linked are known by it. */
export async function updateSignInProvider(tx: Tx, provider: SignInProvider): Promise<void> {
  const { orgId, id, name, clientId, sealedSecret, groupsClaim } = provider
  await tx.query({
    name: 'update-sign-in-provider',
    text: `update sign_in_providers set name = $3, client_id = $4, sealed_secret = $5, groups_claim = $6,
        revision = revision + 1
      where org_id = $1 and id = $2`,
    values: [orgId, id, name, clientId, sealedSecret, groupsClaim],
  })
}

/** Deletes a provider, with the links of people to it. */
export async function lockSignInProvider(tx: Tx, orgId: string, id: string): Promise<void> {
  await tx.query({
    name: 'lock-sign-in-provider',
    text: 'select 1 from sign_in_providers where org_id = $1 and id = $2 for update',
    values: [orgId, id],
  })
}

export async function deleteSignInProvider(tx: Tx, orgId: string, id: string): Promise<void> {
  await tx.query({
    name: 'delete-sign-in-provider',
    text: 'delete from sign_in_providers where org_id = $1 and id = $2',
    values: [orgId, id],
  })
}

/** Finds the provider of an e-mail domain that its organization has verified, for maintenance. */
export async function findProviderOfDomain(
  tx: Tx,
  domain: string,
): Promise<SignInProvider | undefined> {
  const [row] = await tx.query<SignInProvider>({
    name: 'find-provider-of-domain',
    text: `select ${columns} from sign_in_providers where org_id = (
        select d.org_id from email_domains d join organizations o on o.id = d.org_id
        where d.domain = $1 and d.verified_at is not null and o.deleted_at is null)
      order by id limit 1`,
    values: [domain],
  })
  return row
}

/** Returns whether any organization has a provider, for maintenance. */
export async function hasSignInProviders(tx: Tx): Promise<boolean> {
  const rows = await tx.query({
    name: 'has-sign-in-providers',
    text: 'select 1 from sign_in_providers limit 1',
    values: [],
  })
  return rows.length > 0
}

/** Names a person at a provider of an organization. */
export interface ProviderSubject {
  readonly orgId: string
  readonly providerId: string
  readonly subject: string
}

/** Describes the account that a person at a provider is linked to. */
export interface ProviderPerson {
  readonly userId: string
  readonly name: string
  readonly email: string
}

/** Finds the account of a person at a provider. */
export async function findProviderPerson(
  tx: Tx,
  { orgId, providerId, subject }: ProviderSubject,
): Promise<ProviderPerson | undefined> {
  const [row] = await tx.query<ProviderPerson>({
    name: 'find-provider-person',
    text: `select u.id as "userId", u.name, u.email from provider_identities i join users u on u.id = i.user_id
      where i.org_id = $1 and i.provider_id = $2 and i.subject = $3`,
    values: [orgId, providerId, subject],
  })
  return row
}

/** Links a person at a provider to an account. Returns whether neither was linked there before. */
export async function insertProviderIdentity(
  tx: Tx,
  { orgId, providerId, subject }: ProviderSubject,
  { userId, createdAt }: { readonly userId: string; readonly createdAt: Date },
): Promise<boolean> {
  const rows = await tx.query({
    name: 'insert-provider-identity',
    text: `insert into provider_identities (org_id, provider_id, subject, user_id, created_at)
      values ($1, $2, $3, $4, $5) on conflict do nothing returning 1`,
    values: [orgId, providerId, subject, userId, createdAt],
  })
  return rows.length === 1
}

/** Remembers which sign-in at a provider a session follows from. */
export async function insertProviderSession(
  tx: Tx,
  session: ProviderSubject & {
    readonly tokenHash: Buffer
    readonly userId: string
    readonly sid: string | null
  },
): Promise<void> {
  const { tokenHash, userId, orgId, providerId, subject, sid } = session
  await tx.query({
    name: 'insert-provider-session',
    text: `insert into provider_sessions (token_hash, user_id, org_id, provider_id, subject, sid)
      values ($1, $2, $3, $4, $5, $6)`,
    values: [tokenHash, userId, orgId, providerId, subject, sid],
  })
}

/** Ends the sessions that follow from sign-ins at a provider, for maintenance. Returns how many there were. */
export async function deleteProviderSessions(
  tx: Tx,
  ended: {
    readonly orgId: string
    readonly providerId: string
    /** `null`: of everybody. */
    readonly subject: string | null
    /** `null`: all of them. */
    readonly sid: string | null
  },
): Promise<number> {
  const { orgId, providerId, subject, sid } = ended
  const rows = await tx.query({
    name: 'delete-provider-sessions',
    text: `delete from sessions where token_hash in (
        select token_hash from provider_sessions where org_id = $1 and provider_id = $2
          and ($3::text is null or subject = $3) and ($4::text is null or sid = $4))
      returning 1`,
    values: [orgId, providerId, subject, sid],
  })
  return rows.length
}

/** Notes a logout token, for maintenance. Returns whether it is new. */
export async function noteLogoutToken(
  tx: Tx,
  token: { readonly orgId: string; readonly hash: Buffer; readonly expiresAt: Date },
): Promise<boolean> {
  const rows = await tx.query({
    name: 'note-logout-token',
    text: `insert into used_logout_tokens (org_id, hash, expires_at) values ($1, $2, $3) on conflict do nothing returning 1`,
    values: [token.orgId, token.hash, token.expiresAt],
  })
  return rows.length === 1
}

/** Describes the link of a person to a provider of an organization. */
export interface ProviderLink {
  readonly orgId: string
  readonly providerId: string
  readonly issuer: string
  readonly createdAt: Date
}

/** Finds the newest link of a person to a provider, of any organization, for maintenance. */
export async function findProviderLink(tx: Tx, userId: string): Promise<ProviderLink | undefined> {
  const [row] = await tx.query<ProviderLink>({
    name: 'find-provider-link',
    text: `select i.org_id as "orgId", i.provider_id as "providerId", p.issuer, i.created_at as "createdAt"
      from provider_identities i join sign_in_providers p on p.org_id = i.org_id and p.id = i.provider_id
      where i.user_id = $1 order by i.created_at desc limit 1`,
    values: [userId],
  })
  return row
}
