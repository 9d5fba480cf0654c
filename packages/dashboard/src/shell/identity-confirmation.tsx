import { useEffect, useState, type FormEvent } from 'react'
import { setCallHooks } from '../api/call.ts'
import { queryClient } from '../api/query-client.ts'
import { useRead, useWrite } from '../api/use-api.ts'
import { Button } from '../components/button.tsx'
import { Dialog, DialogActions } from '../components/dialog.tsx'
import { fieldsOf } from '../browser/read-fields.ts'
import { FormProblem } from '../components/states.tsx'
import { CodeField } from './code-field.tsx'
import { PasswordField } from './password-field.tsx'

/** Asks for the password again when the server requires it, and then repeats the interrupted call. */
export function IdentityConfirmation() {
  const [settle, setSettle] = useState<(confirmed: boolean) => void>()
  useEffect(() => {
    let confirmation: Promise<boolean> | undefined
    // One confirmation serves all calls that wait for it.
    const confirmIdentity = () => {
      confirmation ??= new Promise<boolean>((resolve) => setSettle(() => resolve)).finally(() => {
        confirmation = undefined
      })
      return confirmation
    }
    setCallHooks({
      confirmIdentity,
      // Every page depends on this read. Its 401 leads to the sign-in.
      checkSession: () => void queryClient.invalidateQueries({ queryKey: ['GET /me'] }),
    })
  }, [])

  if (settle === undefined) return null
  return (
    <ConfirmationDialog
      onEnd={(confirmed) => {
        setSettle(undefined)
        settle(confirmed)
      }}
    />
  )
}

interface ConfirmationProps {
  readonly onEnd: (confirmed: boolean) => void
}

/** Confirms by the password, or by the OpenID provider where the account has one or has no password. */
function ConfirmationDialog({ onEnd }: ConfirmationProps) {
  const { data, isPending } = useRead('GET /me/oidc')
  const hasPassword = data?.hasPassword ?? !isPending
  const cancel = () => onEnd(false)
  return (
    <Dialog
      title="Confirm it’s you"
      description={hasPassword ? 'Enter your password to continue.' : 'Sign in again to continue.'}
      onClose={cancel}
    >
      {hasPassword && <PasswordForm onEnd={onEnd} />}
      {data && data.linked !== null && (
        <ConfirmAtProvider onCancel={hasPassword ? undefined : cancel} />
      )}
    </Dialog>
  )
}

function PasswordForm({ onEnd }: ConfirmationProps) {
  const confirm = useWrite('POST /sessions/current/confirm')
  const { error } = confirm
  // The field stays once it was needed: the server answers a wrong code like a wrong password.
  const [asksCode, setAsksCode] = useState(false)

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = fieldsOf(event.currentTarget)
    const code = field('code').trim()
    const body = { password: field('password'), ...(code && { code }) }
    confirm.mutate({
      body,
      onSuccess: () => onEnd(true),
      onError: ({ code }) => setAsksCode((before) => before || code === 'second_factor_required'),
    })
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <FormProblem problem={error?.code === 'second_factor_required' ? null : error} />
      <PasswordField autoFocus required />
      {asksCode && <CodeField error={error?.errorOf('/code')} />}
      <DialogActions>
        <Button onClick={() => onEnd(false)}>Cancel</Button>
        <Button type="submit" variant="primary" pending={confirm.isPending}>
          Confirm
        </Button>
      </DialogActions>
    </form>
  )
}

interface ConfirmAtProviderProps {
  /** Cancels the confirmation. Absent where the dialog offers another way. */
  readonly onCancel?: (() => void) | undefined
}

/** Confirms the identity at the OpenID provider instead of with a password. */
function ConfirmAtProvider({ onCancel }: ConfirmAtProviderProps) {
  const begin = useWrite('POST /me/oidc/confirm')
  const confirm = () =>
    begin.mutate({
      body: { returnTo: `${location.pathname}${location.search}` },
      onSuccess: ({ url }) => location.assign(url),
    })
  return (
    <div className="flex flex-col gap-4">
      <p>
        Sign in at your provider again. It leads back to this page, where you repeat the action.
      </p>
      <FormProblem problem={begin.error} />
      <DialogActions>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button
          variant={onCancel ? 'primary' : 'plain'}
          pending={begin.isPending}
          onClick={confirm}
        >
          Sign in at the provider
        </Button>
      </DialogActions>
    </div>
  )
}
