import { useEffect, useState, type FormEvent } from 'react'
import { call, setCallHooks } from '../api/call.ts'
import { ApiProblem } from '../api/problem.ts'
import { queryClient } from '../api/query-client.ts'
import { Button } from '../parts/button.tsx'
import { Dialog, DialogActions } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { fieldsOf } from '../parts/read-fields.ts'
import { FormProblem } from '../parts/states.tsx'

/** Asks for the password again where the server wants it, on behalf of whatever was being done. */
export function IdentityConfirmation() {
  const [settle, setSettle] = useState<(confirmed: boolean) => void>()
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [pending, setPending] = useState(false)
  // Once asked for, the code stays: a wrong one is answered as a wrong password is.
  const [asksCode, setAsksCode] = useState(false)

  useEffect(() => {
    setCallHooks({
      confirmIdentity: () =>
        new Promise((resolve) => {
          setProblem(null)
          setSettle(() => resolve)
        }),
      // `GET /me` is what every page hangs on: it answers 401 now, and the page leads to the sign-in.
      sessionEnded: () => {
        const isKnown = queryClient.getQueriesData({ queryKey: ['GET /me'] }).some(([, me]) => me)
        if (isKnown) void queryClient.resetQueries({ queryKey: ['GET /me'] })
      },
    })
  }, [])

  if (settle === undefined) return null
  const end = (confirmed: boolean) => {
    setSettle(undefined)
    settle(confirmed)
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = fieldsOf(event.currentTarget)
    const code = field('code').trim()
    const body = { password: field('password'), ...(code && { code }) }
    setPending(true)
    try {
      await call('POST /sessions/current/confirm', { body })
      end(true)
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      setProblem(error)
      if (error.code === 'second_factor_required') setAsksCode(true)
    } finally {
      setPending(false)
    }
  }
  return (
    <Dialog
      title="Confirm that it is you"
      description="What you are about to do asks for your password, unless you typed it within the last ten minutes."
      onClose={() => end(false)}
    >
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <FormProblem
          problem={asksCode && problem?.code === 'second_factor_required' ? null : problem}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          autoFocus
          required
        />
        {asksCode && (
          <TextField
            label="Code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            hint="The six digits of your authenticator, or one of your recovery codes."
          />
        )}
        <DialogActions>
          <Button onClick={() => end(false)}>Cancel</Button>
          <Button type="submit" look="primary" pending={pending}>
            Confirm
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
