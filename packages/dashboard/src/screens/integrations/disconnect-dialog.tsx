import { useWrite } from '../../api/use-api.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useOrganization } from '../../session/organization.ts'
import type { Integration } from './integration.ts'

interface DisconnectDialogProps {
  readonly integration: Pick<Integration, 'kind' | 'displayName'>
  readonly onClose: () => void
}

/** Disconnects an integration after a confirmation. */
export function DisconnectDialog({
  integration: { kind, displayName: name },
  onClose,
}: DisconnectDialogProps) {
  const { params } = useOrganization()
  const disconnect = useWrite('DELETE /organizations/{org_id}/integrations/{kind}')
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
