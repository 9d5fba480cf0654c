import type { AnswerOf } from '../../api/routes.ts'
import { SecretDialog } from '../../components/secret-once.tsx'

interface NewSecretProps {
  readonly apiKey: AnswerOf<'POST /organizations/{org_id}/api-keys'>
  readonly onClose: () => void
}

const titles = { b2m: 'Browser key', m2m: 'Server key', rly: 'Relay key' } as const

/** Shows the secret of a key, which the server shows only once. */
export function NewSecret({ apiKey: { name, kind, secret }, onClose }: NewSecretProps) {
  return (
    <SecretDialog
      heading={`Key ${name}`}
      title={titles[kind]}
      help={
        kind === 'b2m'
          ? 'Shown only once. It is safe in a web page.'
          : 'Shown only once. Keep it on servers, in a secret store.'
      }
      secret={secret}
      onClose={onClose}
    />
  )
}
