import type { AnswerOf } from '../../api/routes.ts'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'

interface NewSecretProps {
  readonly apiKey: AnswerOf<'POST /organizations/{org_id}/api-keys'>
  readonly onClose: () => void
}

/** Shows the secret of a key, which the server shows only once. */
export function NewSecret({ apiKey: { name, kind, secret }, onClose }: NewSecretProps) {
  return (
    <Dialog title={`Key ${name}`} isShownOnce onClose={onClose}>
      <SecretOnce
        title={kind === 'm2m' ? 'Server key' : 'Browser key'}
        help={
          kind === 'm2m'
            ? 'Shown only once. Keep it on servers, in a secret store.'
            : 'Shown only once. It is safe in a web page.'
        }
        secret={secret}
      />
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          I have copied it
        </Button>
      </DialogActions>
    </Dialog>
  )
}
