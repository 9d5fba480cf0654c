import { useWrite } from '../api/use-api.ts'
import { Button } from '../components/button.tsx'
import { DialogActions } from '../components/dialog.tsx'
import { FormProblem } from '../components/states.tsx'

interface ConfirmAtProviderProps {
  /** Cancels the confirmation. Absent where the dialog offers another way. */
  readonly onCancel?: (() => void) | undefined
}

/** Confirms the identity at the OpenID provider instead of with a password. */
export function ConfirmAtProvider({ onCancel }: ConfirmAtProviderProps) {
  const begin = useWrite('POST /me/oidc/confirm')
  const confirm = () =>
    begin.mutate(
      { body: { returnTo: `${location.pathname}${location.search}` } },
      { onSuccess: ({ url }) => location.assign(url) },
    )
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
