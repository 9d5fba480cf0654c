import type { Role } from '@signalbox/contract'
import type { Tx } from '../../store/store.ts'
import type { Invitation, InvitationKey } from './invitation.ts'

const columns = `i.id, i.email, i.role, i.invited_by as "invitedBy", i.created_at as "createdAt",
  i.expires_at as "expiresAt"`

/** Describes an invitation that is to be stored. */
export interface NewInvitation extends Invitation, InvitationKey {}

export async function insertInvitation(tx: Tx, invitation: NewInvitation): Promise<void> {
  const { orgId, tokenHash, id, email, role, invitedBy, createdAt, expiresAt } = invitation
  await tx.query({
    name: 'insert-invitation',
    text: `insert into invitations
        (org_id, id, email, role, token_hash, invited_by, created_at, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [orgId, id, email, role, tokenHash, JSON.stringify(invitedBy), createdAt, expiresAt],
  })
}

/** Ends the invitation of an address. Returns whether there was one. */
export async function deleteInvitationOf(tx: Tx, orgId: string, email: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'delete-invitation-of',
    text: 'delete from invitations where org_id = $1 and email = $2 returning 1',
    values: [orgId, email],
  })
  return rows.length === 1
}

/** Ends an invitation. Returns its address, or `undefined` when there is no such invitation. */
export async function deleteInvitation(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ email: string }>({
    name: 'delete-invitation',
    text: 'delete from invitations where org_id = $1 and id = $2 returning email',
    values: [orgId, id],
  })
  return row?.email
}

/**
 * Ends what a person invited to and may not invite to any more: all of it but for an owner or admin, owners for an admin.
 * `role` is the one that they have from now on, `null` for none. Returns how many there were.
 */
export async function deleteInvitationsBy(
  tx: Tx,
  orgId: string,
  { userId, role }: { readonly userId: string; readonly role: Role | null },
): Promise<number> {
  if (role === 'owner') return 0
  const rows = await tx.query({
    name: 'delete-invitations-by',
    text: `delete from invitations where org_id = $1 and invited_by ->> 'id' = $2 and role = any ($3::text[])
      returning 1`,
    values: [
      orgId,
      userId,
      role === 'admin' ? ['owner'] : ['owner', 'admin', 'developer', 'viewer'],
    ],
  })
  return rows.length
}

/**
 * Ends the invitations of members who may not invite any more, after they have lost a grant that made them admins. Returns how
 * many there were.
 */
export async function deleteInvitationsOfLesser(tx: Tx, orgId: string): Promise<number> {
  const rows = await tx.query({
    name: 'delete-invitations-of-lesser',
    text: `delete from invitations i using members m
      where i.org_id = $1 and m.org_id = $1 and m.user_id = i.invited_by ->> 'id' and m.role not in ('owner', 'admin')
        and not exists (select from access_grants g where g.org_id = $1 and g.role = 'admin'
          and g.environment_ids is null and g.schema_ids is null and (g.user_id = m.user_id or g.group_id in
            (select p.group_id from group_members p where p.org_id = $1 and p.user_id = m.user_id)))
      returning 1`,
    values: [orgId],
  })
  return rows.length
}

/** Counts the invitations that can be accepted. */
export async function countOpenInvitations(tx: Tx, orgId: string, now: Date): Promise<number> {
  const [row] = await tx.query<{ count: number }>({
    name: 'count-open-invitations',
    text: 'select count(*) as count from invitations where org_id = $1 and expires_at > $2',
    values: [orgId, now],
  })
  return row?.count ?? 0
}

/** Lists the invitations of an organization, newest first, with those that were not accepted in time. */
export async function listInvitationRows(
  tx: Tx,
  orgId: string,
  { beforeId, limit }: { readonly beforeId: string | undefined; readonly limit: number },
): Promise<Invitation[]> {
  return tx.query<Invitation>({
    name: 'list-invitations',
    text: `select ${columns} from invitations i where i.org_id = $1 and ($2::text is null or i.id < $2)
      order by i.id desc limit $3`,
    values: [orgId, beforeId ?? null, limit],
  })
}

/** Finds the invitation of a token, if it can be accepted at `now`. Callers read the organization too, because it may be deleted. */
export async function findOpenInvitation(
  tx: Tx,
  { orgId, tokenHash }: InvitationKey,
  now: Date,
): Promise<Invitation | undefined> {
  const [row] = await tx.query<Invitation>({
    name: 'find-open-invitation',
    text: `select ${columns} from invitations i where i.org_id = $1 and i.token_hash = $2 and i.expires_at > $3`,
    values: [orgId, tokenHash, now],
  })
  return row
}
