import { useNavigate } from '@tanstack/react-router'
import { toWrite, useList, useWrites } from '../../api/use-api.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'
import { PauseMade, usePauseMade } from '../pause-made.tsx'
import type { Member } from './member.ts'

interface RemoveMemberProps {
  readonly member: Member
  readonly isSelf: boolean
  readonly onClose: () => void
}

/**
 * Removes a member, or lets a person leave, after a confirmation. Who leaves pauses first, because they may not afterwards. The
 * only owner is refused, so nothing of theirs is offered.
 */
export function RemoveMember({ member, isSelf, onClose }: RemoveMemberProps) {
  const { id, name, params, can } = useOrganization()
  const members = useList('GET /organizations/{org_id}/members', { params }).data ?? []
  const isStaying =
    isSelf && members.every(({ role, userId }) => role !== 'owner' || userId === member.userId)
  const made = usePauseMade({
    organizations: can('admin') && !isStaying ? [{ id, name }] : [],
    userId: member.userId,
  })
  const remove = useWrites()
  const navigate = useNavigate()
  const removal = toWrite('DELETE /organizations/{org_id}/members/{user_id}', {
    params: { ...params, user_id: member.userId },
  })
  const confirm = () =>
    remove.mutate(isSelf ? [...made.writes, removal] : [removal, ...made.writes], () => {
      showToast({ text: isSelf ? `You left ${name}.` : `${member.name} was removed.` })
      onClose()
      if (isSelf) void navigate({ to: '/orgs' })
    })
  return (
    <ConfirmDialog
      title={isSelf ? `Leave ${name}?` : `Remove ${member.name}?`}
      action={isSelf ? 'Leave' : 'Remove'}
      write={{ isPending: remove.isPending || made.query.isLoading, error: remove.error }}
      onConfirm={confirm}
      onClose={onClose}
    >
      <div className="flex flex-col gap-3">
        <p>
          {isSelf ? 'You lose access immediately.' : 'They lose access immediately.'} API keys that{' '}
          {isSelf ? 'you' : 'they'} created belong to the organization.
        </p>
        <PauseMade made={made} maker={`by ${isSelf ? 'you' : member.name}`} />
      </div>
    </ConfirmDialog>
  )
}
