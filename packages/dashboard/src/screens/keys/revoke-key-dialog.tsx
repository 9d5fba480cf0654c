import { useWrite } from '../../api/use-api.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useOrganization } from '../../shell/organization.ts'
import type { ApiKey } from './key-row.tsx'

interface RevokeKeyDialogProps {
  readonly apiKey: ApiKey
  readonly onClose: () => void
}

export function RevokeKeyDialog({ apiKey, onClose }: RevokeKeyDialogProps) {
  const { params } = useOrganization()
  const revoke = useWrite('DELETE /organizations/{org_id}/api-keys/{key_id}')
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}?`}
      action="Revoke key"
      pending={revoke.isPending}
      problem={revoke.error}
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
      Everything that uses it is refused within two seconds. This cannot be undone.
    </ConfirmDialog>
  )
}
