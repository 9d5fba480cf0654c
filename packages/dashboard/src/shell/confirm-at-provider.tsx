import { useWrite } from '../api/use-api.ts'
import { Button } from '../parts/button.tsx'
import { DialogActions } from '../parts/dialog.tsx'
import { FormProblem } from '../parts/states.tsx'

interface ConfirmAtProviderProps {
  /** Left out where there is another way to go on. */
  readonly onCancel?: (() => void) | undefined
}

/** In place of a password, for whoever signs in with the OpenID provider: it asks once more who they are. */
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
        Sign in at your provider again. You come back to this page and repeat what you were doing.
      </p>
      <FormProblem problem={begin.error} />
      <DialogActions>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button look={onCancel ? 'primary' : 'plain'} pending={begin.isPending} onClick={confirm}>
          Sign in at the provider
        </Button>
      </DialogActions>
    </div>
  )
}
