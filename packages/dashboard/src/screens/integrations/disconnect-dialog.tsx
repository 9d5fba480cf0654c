import { useWrite } from '../../api/use-api.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useOrganization } from '../../session/organization.ts'
import { about, type Kind } from './integration.ts'

interface DisconnectDialogProps {
  readonly kind: Kind
  readonly onClose: () => void
}

/** Disconnects an integration, once that was confirmed. */
export function DisconnectDialog({ kind, onClose }: DisconnectDialogProps) {
  const { params } = useOrganization()
  const disconnect = useWrite('DELETE /organizations/{org_id}/integrations/{kind}')
  const { name } = about[kind]
  return (
    <ConfirmDialog
      title={`Disconnect ${name}?`}
      action="Disconnect"
      pending={disconnect.isPending}
      problem={disconnect.error}
      onClose={onClose}
      onConfirm={() => disconnect.mutate({ params: { ...params, kind } }, { onSuccess: onClose })}
    >
      Access ends here at once; {name} is asked to revoke it for three days, and the outcome is
      shown here. What was recorded stays. The settings come back when the same account is connected
      again.
    </ConfirmDialog>
  )
}
