import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { buttonClass } from '../../components/button.tsx'
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
        <p className="text-sm text-muted">The link works once. Is this server set up already?</p>
        <Link to="/" className={buttonClass('plain')}>
          Go to the start page
        </Link>
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
