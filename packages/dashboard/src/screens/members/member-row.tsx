import { useState } from 'react'
import type { ItemOf } from '../../api/routes.ts'
import { Badge } from '../../parts/badge.tsx'
import { markNamed } from '../../parts/mark-named.ts'
import { RowMenu } from '../../parts/row-menu.tsx'
import { Cell, Row } from '../../parts/table.tsx'
import { Age } from '../../parts/time.tsx'
import { useOrganization } from '../../shell/organization.ts'
import { roleNames, useMe } from '../../shell/session.ts'
import { RemoveMember } from './remove-member.tsx'
import { RoleDialog } from './role-dialog.tsx'
import type { MembersSearch } from './search.ts'

export type Member = ItemOf<'GET /organizations/{org_id}/members'>

interface MemberRowProps {
  readonly member: Member
  /** Whether the address is about them. */
  readonly isNamed: boolean
  /** What the address says is done with them. */
  readonly panel: MembersSearch['panel'] | undefined
  readonly onOpen: (next: MembersSearch) => void
}

export function MemberRow({ member, isNamed, ...opening }: MemberRowProps) {
  const { can } = useOrganization()
  const { name, email, role, joinedAt, lastSeenAt } = member
  const isSelf = useMe().data?.id === member.userId
  return (
    <Row {...markNamed(isNamed)}>
      <Cell>
        <div className="min-w-36 font-medium wrap-anywhere">
          {name}
          {isSelf && <span className="ml-1 font-normal text-muted">(you)</span>}
        </div>
        <div className="text-sm wrap-anywhere text-muted">{email}</div>
      </Cell>
      <Cell>
        <Badge tone={role === 'owner' ? 'info' : 'neutral'}>{roleNames[role]}</Badge>
      </Cell>
      <Cell>
        <Age at={joinedAt} />
      </Cell>
      {can('admin') && <Cell>{lastSeenAt === null ? '–' : <Age at={lastSeenAt} />}</Cell>}
      <Cell className="text-right">
        <MemberActions member={member} isSelf={isSelf} {...opening} />
      </Cell>
    </Row>
  )
}

interface MemberActionsProps extends Omit<MemberRowProps, 'isNamed'> {
  readonly isSelf: boolean
}

/** Admins change and remove members, owners owners; anybody may leave. */
function MemberActions({ member, isSelf, panel, onOpen }: MemberActionsProps) {
  const { can, role } = useOrganization()
  const [isRemoving, setRemoving] = useState(false)
  const mayChange = can('admin') && !isSelf && (member.role !== 'owner' || role === 'owner')
  const changeRole = {
    label: 'Change role',
    onSelect: () => onOpen({ member: member.userId, panel: 'role' }),
  }
  const remove = {
    label: isSelf ? 'Leave the organization' : 'Remove',
    danger: true,
    onSelect: () => setRemoving(true),
  }
  return (
    <>
      <RowMenu
        label={`Actions for ${member.name}`}
        items={mayChange ? [changeRole, remove] : isSelf ? [remove] : []}
      />
      {mayChange && panel === 'role' && <RoleDialog member={member} onClose={() => onOpen({})} />}
      {isRemoving && (
        <RemoveMember member={member} isSelf={isSelf} onClose={() => setRemoving(false)} />
      )}
    </>
  )
}
