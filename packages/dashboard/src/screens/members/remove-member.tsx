import { useNavigate } from '@tanstack/react-router'
import { useWrite } from '../../api/use-api.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'
import type { Member } from './member.ts'

interface RemoveMemberProps {
  readonly member: Member
  readonly isSelf: boolean
  readonly onClose: () => void
}

/** Removes a member, or lets a person leave, after a confirmation. */
export function RemoveMember({ member, isSelf, onClose }: RemoveMemberProps) {
  const { name, params } = useOrganization()
  const remove = useWrite('DELETE /organizations/{org_id}/members/{user_id}')
  const navigate = useNavigate()
  const confirm = () =>
    remove.mutate(
      { params: { ...params, user_id: member.userId } },
      {
        onSuccess: () => {
          showToast({ text: isSelf ? `You left ${name}.` : `${member.name} was removed.` })
          onClose()
          if (isSelf) void navigate({ to: '/orgs' })
        },
      },
    )
  return (
    <ConfirmDialog
      title={isSelf ? `Leave ${name}?` : `Remove ${member.name}?`}
      action={isSelf ? 'Leave' : 'Remove'}
      pending={remove.isPending}
      problem={remove.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      {isSelf ? 'You lose access immediately.' : 'They lose access immediately.'} API keys that{' '}
      {isSelf ? 'you' : 'they'} created keep working: they belong to the organization.
    </ConfirmDialog>
  )
}
