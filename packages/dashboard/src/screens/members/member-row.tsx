import { Badge } from '../../components/badge.tsx'
import { NameButton } from '../../components/button.tsx'
import { highlightNamed } from '../../components/highlight-named.ts'
import { RowMenu } from '../../components/row-menu.tsx'
import { Cell, Row } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'
import { roleNames, useMe } from '../../session/session.ts'
import { useWrite } from '../../api/use-api.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { MadeBy } from '../made-by.tsx'
import type { MembersSearch } from './search.ts'
import type { Member } from './member.ts'
import { MemberDrawer } from './member-drawer.tsx'
import { readRole, RoleField } from './role-field.tsx'

interface MemberRowProps {
  readonly member: Member
  /** Says whether the address names the member. */
  readonly isNamed: boolean
  /** Names the open dialog about the member. */
  readonly panel: MembersSearch['panel'] | undefined
  readonly onOpen: (next: MembersSearch) => void
  readonly onRemove: () => void
}

/** Shows one member, with the dialogs that change the membership. */
export function MemberRow({ member, isNamed, ...opening }: MemberRowProps) {
  const { can } = useOrganization()
  const { onOpen, panel } = opening
  const { userId, name, email, role, joinedAt, grantedBy, grantedWith, lastSeenAt } = member
  const isSelf = useMe().data?.id === userId
  return (
    <Row {...highlightNamed(isNamed)}>
      <Cell>
        <div className="min-w-36 wrap-anywhere">
          <NameButton onClick={() => onOpen({ member: userId, panel: 'access' })}>
            {name}
          </NameButton>
          {isSelf && <span className="ml-1 text-muted">(you)</span>}
        </div>
        <div className="text-sm wrap-anywhere text-muted">{email}</div>
      </Cell>
      <Cell>
        <Badge tone={role === 'owner' ? 'info' : 'neutral'}>{roleNames[role]}</Badge>
        {grantedBy !== null && grantedBy.id !== userId && (
          <div className="min-w-28 text-sm wrap-anywhere text-muted">
            by <MadeBy by={grantedBy} credential={grantedWith} />
          </div>
        )}
      </Cell>
      <Cell>
        <Age at={joinedAt} />
      </Cell>
      {can('admin') && <Cell>{lastSeenAt === null ? '–' : <Age at={lastSeenAt} />}</Cell>}
      <Cell className="text-right">
        <MemberActions member={member} isSelf={isSelf} {...opening} />
        {panel === 'access' && <MemberDrawer member={member} onClose={() => onOpen({})} />}
      </Cell>
    </Row>
  )
}

interface MemberActionsProps extends Omit<MemberRowProps, 'isNamed'> {
  readonly isSelf: boolean
}

/** Renders the menu of a member. Admins manage members, owners also owners; anybody may leave. */
function MemberActions({ member, isSelf, panel, onOpen, onRemove }: MemberActionsProps) {
  const { can, role } = useOrganization()
  const mayChange = can('admin') && !isSelf && (member.role !== 'owner' || role === 'owner')
  const changeRole = {
    label: 'Change role',
    onSelect: () => onOpen({ member: member.userId, panel: 'role' }),
  }
  const remove = {
    label: isSelf ? 'Leave the organization' : 'Remove',
    danger: true,
    onSelect: onRemove,
  }
  return (
    <>
      <RowMenu
        label={`Actions for ${member.name}`}
        items={mayChange ? [changeRole, remove] : isSelf ? [remove] : []}
      />
      {mayChange && panel === 'role' && <RoleDialog member={member} onClose={() => onOpen({})} />}
    </>
  )
}

/** Changes the role of a member. */
function RoleDialog({ member, onClose }: Readonly<{ member: Member; onClose: () => void }>) {
  const { role } = useOrganization()
  const update = useWrite('PATCH /organizations/{org_id}/members/{user_id}')
  const submit = (form: HTMLFormElement) => {
    const body = { role: readRole(fieldsOf(form)('role')) }
    update.mutate({ params: { user_id: member.userId }, body, onSuccess: onClose })
  }
  return (
    <FormDialog
      title={`Change the role of ${member.name}`}
      description="It takes effect with their next request. Open pages hide everything that the new role can’t see."
      onClose={onClose}
      write={update}
      fields={['/role']}
      submitLabel="Change role"
      onSubmit={submit}
    >
      <RoleField
        defaultRole={member.role}
        mayMakeOwners={role === 'owner'}
        error={update.error?.errorOf('/role')}
      />
    </FormDialog>
  )
}
