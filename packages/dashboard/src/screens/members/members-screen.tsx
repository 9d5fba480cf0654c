import { useNavigate, useSearch } from '@tanstack/react-router'
import { UserPlus } from 'lucide-react'
import { useList } from '../../api/use-api.ts'
import { Button } from '../../parts/button.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Loaded } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { useOrganization } from '../../shell/organization.ts'
import { InvitationList } from './invitation-list.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MemberRow } from './member-row.tsx'
import type { MembersSearch } from './search.ts'

/** Who is in the organization, as what, and who was asked to come. */
export function MembersScreen() {
  const { params, can } = useOrganization()
  const members = useList('GET /organizations/{org_id}/members', { params })
  const { new: isInviting = false, member: named, panel } = useSearch({ from: '/$org/members' })
  const navigate = useNavigate({ from: '/$org/members' })
  const open = (next: MembersSearch) => void navigate({ search: next, replace: true })
  return (
    <Page
      title="Members"
      actions={
        can('admin') && (
          <Button look="primary" icon={UserPlus} onClick={() => open({ new: true })}>
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
                  isNamed={panel === undefined && member.userId === named}
                  panel={member.userId === named ? panel : undefined}
                  onOpen={open}
                />
              ))}
            </Table>
          )}
        </Loaded>
        <MoreButton list={members} />
      </Panel>
      {can('admin') && <InvitationList />}
      {isInviting && can('admin') && <InviteDialog onClose={() => open({})} />}
    </Page>
  )
}
