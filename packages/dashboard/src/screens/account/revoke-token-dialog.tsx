import { toWrite, useWrites } from '../../api/use-api.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { showToast } from '../../components/toasts.tsx'
import { includesRole, useMe } from '../../session/session.ts'
import { PauseMade, usePauseMade } from '../pause-made.tsx'

interface RevokeTokenDialogProps {
  readonly token: { readonly id: string; readonly name: string }
  readonly onClose: () => void
}

/** Revokes a personal access token, and pauses what was made with it. */
export function RevokeTokenDialog({ token: { id, name }, onClose }: RevokeTokenDialogProps) {
  const me = useMe().data
  const made = usePauseMade({
    organizations: (me?.organizations ?? []).filter(({ role }) => includesRole(role, 'admin')),
    userId: me?.id ?? '',
    token: id,
  })
  const revoke = useWrites()
  const revocation = toWrite('DELETE /me/tokens/{token_id}', { params: { token_id: id } })
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      action="Revoke token"
      write={{ isPending: revoke.isPending || made.query.isLoading, error: revoke.error }}
      onClose={onClose}
      onConfirm={() =>
        revoke.mutate([revocation, ...made.writes], () => {
          showToast({ text: `${name} was revoked.` })
          onClose()
        })
      }
    >
      <div className="flex flex-col gap-3">
        <p>Signalbox refuses every request with it immediately. You can’t undo this.</p>
        <PauseMade made={made} maker="with this token" />
      </div>
    </ConfirmDialog>
  )
}
