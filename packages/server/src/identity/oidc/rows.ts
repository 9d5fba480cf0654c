import type { Tx } from '../../store/store.ts'

/** Names the purpose of an attempt. */
export type OidcPurpose = 'sign_in' | 'link' | 'confirm'

/** Describes an attempt to sign in at the provider. */
export interface OidcAttempt {
  readonly stateHash: Buffer
  readonly cookieHash: Buffer
  readonly purpose: OidcPurpose
  /** Names the person who links or confirms; `null` for a sign-in. */
  readonly userId: string | null
  readonly returnTo: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
  /** Names the provider of an organization; `null`: that of the settings. */
  readonly providerOrgId: string | null
  readonly providerId: string | null
}

export async function insertAttempt(tx: Tx, attempt: OidcAttempt): Promise<void> {
  const { stateHash, cookieHash, purpose, userId, returnTo, createdAt, expiresAt } = attempt
  const { providerOrgId, providerId } = attempt
  await tx.query({
    name: 'insert-oidc-attempt',
    text: `insert into oidc_attempts (state_hash, cookie_hash, purpose, user_id, return_to, created_at, expires_at,
        provider_org_id, provider_id)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [
      stateHash,
      cookieHash,
      purpose,
      userId,
      returnTo,
      createdAt,
      expiresAt,
      providerOrgId,
      providerId,
    ],
  })
}

/** Finds an attempt by its state. */
export async function findAttempt(tx: Tx, stateHash: Buffer): Promise<OidcAttempt | undefined> {
  const [row] = await tx.query<OidcAttempt>({
    name: 'find-oidc-attempt',
    text: `select state_hash as "stateHash", cookie_hash as "cookieHash", purpose, user_id as "userId",
        return_to as "returnTo", created_at as "createdAt", expires_at as "expiresAt",
        provider_org_id as "providerOrgId", provider_id as "providerId"
      from oidc_attempts where state_hash = $1`,
    values: [stateHash],
  })
  return row
}

/** Consumes an attempt. When two callers compete, only one gets `true`. */
export async function takeAttempt(tx: Tx, stateHash: Buffer, now: Date): Promise<boolean> {
  const rows = await tx.query({
    name: 'take-oidc-attempt',
    text: 'update oidc_attempts set used_at = $2 where state_hash = $1 and used_at is null returning 1',
    values: [stateHash, now],
  })
  return rows.length > 0
}

/** Describes the person here that a subject of the provider is linked to. */
export interface LinkedPerson {
  readonly userId: string
  readonly name: string
  readonly email: string
}

/** Describes a subject of the provider. */
export interface OidcSubject {
  readonly issuer: string
  readonly subject: string
}

/** Finds the person of a subject. */
export async function findLinkedPerson(
  tx: Tx,
  { issuer, subject }: OidcSubject,
): Promise<LinkedPerson | undefined> {
  const [row] = await tx.query<LinkedPerson>({
    name: 'find-oidc-person',
    text: `select u.id as "userId", u.name, u.email from oidc_identities i join users u on u.id = i.user_id
      where i.issuer = $1 and i.subject = $2`,
    values: [issuer, subject],
  })
  return row
}

/** Describes a link that is to be stored. */
export interface NewLink extends OidcSubject {
  readonly userId: string
  readonly email: string | null
  readonly createdAt: Date
}

/** Links a subject to a person. Returns whether neither was linked before. */
export async function insertLink(tx: Tx, link: NewLink): Promise<boolean> {
  const { issuer, subject, userId, email, createdAt } = link
  const rows = await tx.query({
    name: 'insert-oidc-link',
    text: `insert into oidc_identities (issuer, subject, user_id, email, created_at) values ($1, $2, $3, $4, $5)
      on conflict do nothing returning 1`,
    values: [issuer, subject, userId, email, createdAt],
  })
  return rows.length > 0
}

/** Describes a person's link to a subject. */
export interface Link {
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  readonly createdAt: Date
}

/** Finds the link of a person. */
export async function findLink(tx: Tx, userId: string): Promise<Link | undefined> {
  const [row] = await tx.query<Link>({
    name: 'find-oidc-link',
    text: `select issuer, subject, email, created_at as "createdAt" from oidc_identities where user_id = $1`,
    values: [userId],
  })
  return row
}

/** Deletes the link of a person. */
export async function deleteLink(tx: Tx, userId: string): Promise<void> {
  await tx.query({
    name: 'delete-oidc-link',
    text: 'delete from oidc_identities where user_id = $1',
    values: [userId],
  })
}

/** Returns whether a person of any organization has invited this address, for maintenance. */
export async function hasOpenInvitation(tx: Tx, email: string, now: Date): Promise<boolean> {
  const rows = await tx.query({
    name: 'has-open-invitation',
    text: 'select 1 from invitations where email = $1 and expires_at > $2 limit 1',
    values: [email, now],
  })
  return rows.length > 0
}
