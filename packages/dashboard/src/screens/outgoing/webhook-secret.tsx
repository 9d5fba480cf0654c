import type { AnswerOf } from '../../api/routes.ts'
import { SecretDialog } from '../../components/secret-once.tsx'

interface WebhookSecretProps {
  readonly webhook: AnswerOf<'POST /organizations/{org_id}/outgoing-webhooks'>
  readonly onClose: () => void
}

/** Shows the secret that signs the messages of a webhook, which the server shows only once. */
export function WebhookSecret({ webhook: { name, secret }, onClose }: WebhookSecretProps) {
  return (
    <SecretDialog
      heading={`Secret of ${name}`}
      title="Signing secret"
      help="Shown only once. The receiver verifies each message with it."
      secret={secret}
      onClose={onClose}
    />
  )
}
