import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import type { AnswerOf } from '../../api/routes.ts'
import { Loaded, Skeleton } from '../../components/states.tsx'
import { SignedOutLayout } from '../../shell/signed-out-layout.tsx'
import { AcceptInvitation } from './accept-invitation.tsx'
import { RegisterInvited } from './register-invited.tsx'
import { SignInAsOther } from './sign-in-as-other.tsx'
import { tokenOf } from './token.ts'

/** Shows the invitation of a link, and the next step. */
export function InvitationScreen() {
  // Opening another link in the same tab changes only the fragment.
  const token = tokenOf(useLocation().hash)
  if (token === '') {
    return (
      <SignedOutLayout title="Invitation">
        <p role="alert">The link is incomplete. Copy all of it, or ask for a new one.</p>
      </SignedOutLayout>
    )
  }
  return <Invitation key={token} token={token} />
}

let links = 0

function Invitation({ token }: { readonly token: string }) {
  // The cache key does not contain the token: keys are kept longer than a secret may be.
  const [link] = useState(() => (links += 1))
  const preview = useQuery<AnswerOf<'POST /invitations/preview'>>({
    queryKey: ['POST /invitations/preview', link],
    queryFn: ({ signal }) => call('POST /invitations/preview', { body: { token } }, signal),
    gcTime: 0,
    retry: false,
  })
  return (
    <Loaded
      query={preview}
      skeleton={<Skeleton lines={2} />}
      around={(instead) => <SignedOutLayout title="Invitation">{instead}</SignedOutLayout>}
    >
      {({ organizationName, invitedBy, email, role, signedInAs, accountExists }) => (
        <SignedOutLayout
          title={`Join ${organizationName}`}
          lead={`${invitedBy} invites ${email} as ${role}.`}
        >
          {signedInAs === 'invited' ? (
            <AcceptInvitation token={token} />
          ) : accountExists ? (
            <SignInAsOther isSignedIn={signedInAs === 'somebody_else'} />
          ) : (
            <RegisterInvited token={token} />
          )}
        </SignedOutLayout>
      )}
    </Loaded>
  )
}
