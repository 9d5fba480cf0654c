import { useState } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { SignedOutLayout } from '../../shell/signed-out-layout.tsx'
import { forgetFragment, readFragment } from '../../browser/read-fragment.ts'
import { SetupDone } from './setup-done.tsx'
import { SetupForm } from './setup-form.tsx'

/** Shows the first start: it creates the owner, and the keys for the first program. */
export function SetupScreen() {
  const [token] = useState(() => readFragment('token'))
  // Holds keys that are shown once, so no cache keeps it.
  const [done, setDone] = useState<AnswerOf<'POST /setup'>>()

  if (done !== undefined) return <SetupDone done={done} />
  if (token === '') {
    return (
      <SignedOutLayout title="Set up this server">
        <p role="alert">
          This link has no one-time token. Open the setup link that the server printed when it
          started.
        </p>
      </SignedOutLayout>
    )
  }
  return (
    <SetupForm
      token={token}
      onDone={(answer) => {
        forgetFragment()
        setDone(answer)
      }}
    />
  )
}
