import { useNavigate, useSearch } from '@tanstack/react-router'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useList } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { Loaded } from '../../components/states.tsx'
import { Table } from '../../components/table.tsx'
import { useOrganization } from '../../session/organization.ts'
import { useMe } from '../../session/session.ts'
import { InvitationList } from './invitation-list.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import type { Member } from './member.ts'
import { MemberRow } from './member-row.tsx'
import { RemoveMember } from './remove-member.tsx'
import type { MembersSearch } from './search.ts'

/** Shows the members with their roles, and the open invitations. */
export function MembersScreen() {
  const { params, can } = useOrganization()
  const members = useList('GET /organizations/{org_id}/members', { params })
  const { new: isInviting = false, member: memberId, panel } = useSearch({ from: '/$org/members' })
  const navigate = useNavigate({ from: '/$org/members' })
  const me = useMe().data
  // Not in the row: that is gone before the dialog can say what could not be paused.
  const [removed, setRemoved] = useState<Member>()
  const open = (next: MembersSearch) => void navigate({ search: next, replace: true })
  return (
    <Page
      title="Members"
      actions={
        can('admin') && (
          <Button variant="primary" icon={UserPlus} onClick={() => open({ new: true })}>
            Invite
          </Button>
        )
      }
    >
      <Panel title="People" flush>
        <Loaded query={members}>
          {(items) => (
            <Table
              columns={[
                'Name',
                'Role',
                'Joined',
                can('admin') && 'Last seen',
                { title: 'Actions', kind: 'actions' },
              ]}
            >
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
    </Page>
  )
}
