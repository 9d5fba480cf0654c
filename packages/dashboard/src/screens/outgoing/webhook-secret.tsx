import type { AnswerOf } from '../../api/routes.ts'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'

interface WebhookSecretProps {
  readonly webhook: AnswerOf<'POST /organizations/{org_id}/outgoing-webhooks'>
  readonly onClose: () => void
}

/** Shows the secret that signs the messages of a webhook, which the server shows only once. */
export function WebhookSecret({ webhook: { name, secret }, onClose }: WebhookSecretProps) {
  return (
    <Dialog title={`Secret of ${name}`} isShownOnce onClose={onClose}>
      <SecretOnce
        title="Signing secret"
        help="Shown only once. The receiver verifies each message with it."
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
