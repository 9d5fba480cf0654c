import { useWrite } from '../../api/use-api.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useOrganization } from '../../session/organization.ts'
import type { Integration } from './integration.ts'

interface DisconnectDialogProps {
  readonly integration: Pick<
    Integration,
    'kind' | 'displayName' | 'revokeAdvice' | 'revokeEffect' | 'connectionOf' | 'usedBy'
  >
  readonly onClose: () => void
}

function toRevocation(name: string, revokeAdvice: string | null): string {
  return revokeAdvice === null
    ? `Signalbox stops using the access immediately, keeps asking ${name} for up to three days to revoke it, and shows the outcome here.`
    : `Signalbox stops using the access immediately and deletes its copy, but can’t revoke it at ${name}. ${revokeAdvice}`
}

/** Disconnects an integration after a confirmation. */
export function DisconnectDialog({
  integration: { kind, displayName: name, revokeAdvice, revokeEffect, connectionOf, usedBy },
  onClose,
}: DisconnectDialogProps) {
  const { params } = useOrganization()
  const disconnect = useWrite('DELETE /organizations/{org_id}/integrations/{kind}')
  return (
    <ConfirmDialog
      title={`Disconnect ${name}?`}
      action="Disconnect"
      write={disconnect}
      onClose={onClose}
      onConfirm={() => disconnect.mutate({ params: { ...params, kind } }, { onSuccess: onClose })}
    >
      {connectionOf === null
        ? toRevocation(name, revokeAdvice)
        : `Signalbox stops using the connection of ${connectionOf} for ${name}. ${connectionOf} itself stays connected.`}{' '}
      {revokeEffect !== null && `${revokeEffect} `}
      {usedBy !== null && `${usedBy} uses this connection, so Signalbox disconnects it as well. `}
      Recorded data stays. If you connect the same account again, your settings return.
      {kind === 'codehost' &&
        ' For another account or provider, Signalbox keeps the environment rules that name no repository. You choose test workflows and other rules again.'}
    </ConfirmDialog>
  )
}
