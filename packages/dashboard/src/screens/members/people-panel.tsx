import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { toWrite, useList, useWrite, useWrites } from '../../api/use-api.ts'
import { MoreButton } from '../../components/more-button.tsx'
import { Panel } from '../../components/panel.tsx'
import { Loaded } from '../../components/states.tsx'
import { rowActions, Table } from '../../components/table.tsx'
import { useOrganization } from '../../session/organization.ts'
import { useMe } from '../../session/session.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { showToast } from '../../components/toasts.tsx'
import type { AnswerOf } from '../../api/routes.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { SecretDialog } from '../../components/secret-once.tsx'
import { PauseMade, usePauseMade } from '../pause-made.tsx'
import { InvitationList } from './invitation-list.tsx'
import type { Member } from './member.ts'
import { MemberRow } from './member-row.tsx'
import type { PanelProps } from './panel-props.ts'
import { readRole, RoleField } from './role-field.tsx'

/** Shows the members with their roles, and the open invitations. */
export function PeoplePanel({ search, onOpen: open }: PanelProps) {
  const { can } = useOrganization()
  const members = useList('GET /organizations/{org_id}/members')
  const { new: isInviting = false, member: memberId, panel } = search
  const me = useMe().data
  // Not in the row: that is gone before the dialog can say what could not be paused.
  const [removed, setRemoved] = useState<Member>()
  return (
    <>
      <Panel title="People" flush>
        <Loaded query={members}>
          {(items) => (
            <Table columns={['Name', 'Role', 'Joined', can('admin') && 'Last seen', rowActions]}>
              {items.map((member) => (
                <MemberRow
                  key={member.userId}
                  member={member}
                  isNamed={panel === undefined && member.userId === memberId}
                  panel={member.userId === memberId ? panel : undefined}
                  onOpen={open}
                  onRemove={() => setRemoved(member)}
                />
              ))}
            </Table>
          )}
        </Loaded>
        <MoreButton list={members} />
      </Panel>
      {can('admin') && <InvitationList />}
      {removed !== undefined && (
        <RemoveMember
          member={removed}
          isSelf={removed.userId === me?.id}
          onClose={() => setRemoved(undefined)}
        />
      )}
      {isInviting && can('admin') && <InviteDialog onClose={() => open({})} />}
    </>
  )
}

interface RemoveMemberProps {
  readonly member: Member
  readonly isSelf: boolean
  readonly onClose: () => void
}

/**
 * Removes a member, or lets a person leave, after a confirmation. Who leaves pauses first, because they may not afterwards. The
 * only owner is refused, so nothing of theirs is offered.
 */
function RemoveMember({ member, isSelf, onClose }: RemoveMemberProps) {
  const { id, name, params, can } = useOrganization()
  const members = useList('GET /organizations/{org_id}/members').data ?? []
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

type Invited = AnswerOf<'POST /organizations/{org_id}/invitations'>

/** Creates an invitation link for one address. The person sends it, because the service sends no mail. */
function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const { name, role } = useOrganization()
  const invite = useWrite('POST /organizations/{org_id}/invitations')
  const [invited, setInvited] = useState<Invited>()
  const { error } = invite

  if (invited !== undefined) {
    return (
      <SecretDialog
        heading={`Invitation for ${invited.email}`}
        title="Invitation link"
        help="Shown only once. Send it to them yourself: it works once, within seven days, for this address only. An earlier link for the address no longer works."
        secret={invited.url}
        done="Done"
        onClose={onClose}
      />
    )
  }
  const submit = (form: HTMLFormElement) => {
    const field = fieldsOf(form)
    const body = { email: field('email'), role: readRole(field('role')) }
    invite.mutate({ body, onSuccess: setInvited })
  }
  return (
    <FormDialog
      title={`Invite to ${name}`}
      onClose={onClose}
      write={invite}
      fields={['/email', '/role']}
      submitLabel="Create link"
      onSubmit={submit}
    >
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoFocus
        error={error?.errorOf('/email')}
      />
      <RoleField
        defaultRole="developer"
        mayMakeOwners={role === 'owner'}
        error={error?.errorOf('/role')}
      />
    </FormDialog>
  )
}
