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

export type Member = ItemOf<'GET /organizations/{org_id}/members'>

interface MemberRowProps {
  readonly member: Member
  /** Whether the address is about them. */
  readonly isNamed: boolean
}

export function MemberRow({ member, isNamed }: MemberRowProps) {
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
        <MemberActions member={member} isSelf={isSelf} />
      </Cell>
    </Row>
  )
}

interface MemberActionsProps {
  readonly member: Member
  readonly isSelf: boolean
}

/** Admins change and remove members, owners owners; anybody may leave. */
function MemberActions({ member, isSelf }: MemberActionsProps) {
  const { can, role } = useOrganization()
  const [open, setOpen] = useState<'role' | 'remove'>()
  const close = () => setOpen(undefined)
  const mayChange = can('admin') && !isSelf && (member.role !== 'owner' || role === 'owner')
  const changeRole = { label: 'Change role', onSelect: () => setOpen('role') }
  const remove = {
    label: isSelf ? 'Leave the organization' : 'Remove',
    danger: true,
    onSelect: () => setOpen('remove'),
  }
  return (
    <>
      <RowMenu
        label={`Actions for ${member.name}`}
        items={mayChange ? [changeRole, remove] : isSelf ? [remove] : []}
      />
      {open === 'role' && <RoleDialog member={member} onClose={close} />}
      {open === 'remove' && <RemoveMember member={member} isSelf={isSelf} onClose={close} />}
    </>
  )
}
