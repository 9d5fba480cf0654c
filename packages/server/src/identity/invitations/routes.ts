import { invitationEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import { readCookie } from '../../http/admission/cookies.ts'
import type { Router } from '../../http/router.ts'
import { toCaller } from '../caller.ts'
import { presentAuthor, presentCredential } from '../../audit/author.ts'
import { toAuditRequest } from '../../audit/caller.ts'
import { presentOrganization } from '../organizations/present-organization.ts'
import { renderSessionCookie, sessionCookie } from '../sessions/session.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { createInvitation, type CreateInvitationDeps } from './create-invitation.ts'
import type { Invitation } from './invitation.ts'
import { previewInvitation } from './preview-invitation.ts'
import { registerInvited } from './register-invited.ts'
import { revokeInvitation } from './revoke-invitation.ts'
import { listInvitationRows } from './rows.ts'

/** Mounts `/organizations/{org_id}/invitations` and `/invitations`. */
export function mountInvitations(router: Router, deps: CreateInvitationDeps): void {
  mountManaging(router, deps)
  mountAnswering(router, deps)
}

function mountManaging(router: Router, deps: CreateInvitationDeps): void {
  router
    .add(endpoints.createInvitation, {
      handle: (request) =>
        createInvitation(deps, {
          orgId: request.organization.id,
          ...request.body,
          caller: toCaller(request),
        }),
      present: (invitation) => ({
        ...presentInvitation(invitation, deps.now()),
        url: invitation.url,
      }),
      presentReplay: (invitation) => presentInvitation(invitation, deps.now()),
    })
    .addPage(endpoints.listInvitations, {
      position: z.string(),
      list: ({ organization, scope }, { after, limit }) =>
        deps.store.transaction(scope, (tx) =>
          listInvitationRows(tx, organization.id, { beforeId: after, limit: limit + 1 }),
        ),
      positionOf: ({ id }) => id,
      present: (invitation) => presentInvitation(invitation, deps.now()),
    })
    .add(endpoints.revokeInvitation, {
      handle: (request) =>
        revokeInvitation(deps, {
          orgId: request.organization.id,
          invitationId: request.params.invitation_id,
          caller: toCaller(request),
        }),
    })
}

function mountAnswering(router: Router, deps: CreateInvitationDeps): void {
  router
    .add(endpoints.previewInvitation, {
      handle: (request) =>
        previewInvitation(deps, {
          token: request.body.token,
          sessionToken: readCookie(request.header('cookie'), sessionCookie),
        }),
      present: ({ invitedBy, expiresAt, ...preview }) => ({
        ...preview,
        invitedBy: invitedBy.name,
        expiresAt: expiresAt.toISOString(),
      }),
    })
    .add(endpoints.acceptInvitation, {
      handle: (request) =>
        acceptInvitation(deps, { token: request.body.token, caller: toCaller(request) }),
      present: ({ organization, role }) => ({
        organization: presentOrganization(organization),
        role,
      }),
    })
    .add(endpoints.registerInvited, {
      handle: (request) =>
        registerInvited(deps, {
          ...request.body,
          formerToken: readCookie(request.header('cookie'), sessionCookie),
          request: toAuditRequest(request),
        }),
      present: ({ user, organization, role, session }) => ({
        user,
        organization: presentOrganization(organization),
        role,
        expiresAt: session.expiresAt.toISOString(),
      }),
      headers: ({ session }) => ({
        'Set-Cookie': renderSessionCookie(session.token, session.expiresAt),
      }),
    })
}

function presentInvitation(
  { id, email, role, invitedBy, createdAt, expiresAt }: Invitation,
  now: Date,
) {
  return {
    id,
    email,
    role,
    state: expiresAt > now ? ('open' as const) : ('expired' as const),
    invitedBy: presentAuthor(invitedBy),
    invitedWith: presentCredential(invitedBy),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }
}
