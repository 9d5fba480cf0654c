import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import type { AnswerOf } from '../../api/routes.ts'
import { Loaded, Skeleton } from '../../parts/states.tsx'
import { Door } from '../../shell/door.tsx'
import { readFragment } from '../../shell/read-fragment.ts'
import { AcceptInvitation } from './accept-invitation.tsx'
import { RegisterInvited } from './register-invited.tsx'
import { SignInAsOther } from './sign-in-as-other.tsx'

/** What a link invites to, and the one step that is next. */
export function InvitationScreen() {
  const [token] = useState(() => location.hash.slice(1) || readFragment('token'))
  const preview = useQuery<AnswerOf<'POST /invitations/preview'>>({
    queryKey: ['invitation'],
    queryFn: ({ signal }) => call('POST /invitations/preview', { body: { token } }, signal),
    enabled: token !== '',
    gcTime: 0,
    retry: false,
  })
  if (token === '') {
    return (
      <Door title="Invitation">
        <p role="alert">The link is not whole. Ask for it again, and copy all of it.</p>
      </Door>
    )
  }
  return (
    <Loaded
      query={preview}
      skeleton={<Skeleton lines={2} />}
      around={(instead) => <Door title="Invitation">{instead}</Door>}
    >
      {(invitation) => (
        <Door
          title={`Join ${invitation.organizationName}`}
          lead={`${invitation.invitedBy} invites ${invitation.email} as ${invitation.role}.`}
        >
          {invitation.signedInAs === 'invited' && <AcceptInvitation token={token} />}
          {invitation.signedInAs !== 'invited' && invitation.accountExists && (
            <SignInAsOther isSignedIn={invitation.signedInAs === 'somebody_else'} />
          )}
          {invitation.signedInAs !== 'invited' && !invitation.accountExists && (
            <RegisterInvited token={token} />
          )}
        </Door>
      )}
    </Loaded>
  )
}
