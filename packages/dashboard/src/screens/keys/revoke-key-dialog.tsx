import { useWrite } from '../../api/use-api.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'
import type { ApiKey } from './api-key.ts'

interface RevokeKeyDialogProps {
  readonly apiKey: ApiKey
  readonly onClose: () => void
}

/** Revokes an API key after a confirmation. */
export function RevokeKeyDialog({ apiKey, onClose }: RevokeKeyDialogProps) {
  const { params } = useOrganization()
  const revoke = useWrite('DELETE /organizations/{org_id}/api-keys/{key_id}')
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}?`}
      action="Revoke key"
      write={revoke}
      onClose={onClose}
      onConfirm={() =>
        revoke.mutate(
          { params: { ...params, key_id: apiKey.id } },
          {
            onSuccess: () => {
              showToast({ text: `${apiKey.name} was revoked.` })
              onClose()
            },
          },
        )
      }
    >
      Within two seconds, Signalbox refuses every request that uses it. You can’t undo this.
    </ConfirmDialog>
  )
}
