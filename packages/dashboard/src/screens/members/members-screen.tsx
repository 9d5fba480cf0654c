import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus, UserPlus } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Page } from '../../components/page.tsx'
import { Segments } from '../../components/tabs.tsx'
import { useOrganization } from '../../session/organization.ts'
import { GrantsPanel } from './grants/grants-panel.tsx'
import { GroupsPanel } from './groups/groups-panel.tsx'
import { PeoplePanel } from './people-panel.tsx'
import { readMembersSearch, type MembersSearch } from './search.ts'

const views = [
  { value: 'people', label: 'People' },
  { value: 'groups', label: 'Groups' },
  { value: 'grants', label: 'Grants' },
] as const

const panels = { people: PeoplePanel, groups: GroupsPanel, grants: GrantsPanel } as const

const creates = {
  people: { label: 'Invite', icon: UserPlus },
  groups: { label: 'New group', icon: Plus },
  grants: { label: 'New grant', icon: Plus },
} as const

/** Shows who belongs to the organization, and what they may do: the people with their roles, the groups, and the grants. */
export function MembersScreen() {
  const { can } = useOrganization()
  const search = useSearch({ from: '/$org/members' })
  const navigate = useNavigate({ from: '/$org/members' })
  const { view = 'people' } = search
  const go = (next: MembersSearch) =>
    void navigate({ search: readMembersSearch({ ...next }), replace: true })
  const open = (next: MembersSearch) => go({ view: search.view, ...next })
  const Panel = panels[view]
  const create = creates[view]
  return (
    <Page
      title="Members"
      actions={
        can('admin') && (
          <Button variant="primary" icon={create.icon} onClick={() => open({ new: true })}>
            {create.label}
          </Button>
        )
      }
    >
      <div>
        <Segments
          label="View"
          options={views}
          value={view}
          onChange={(chosen) => go(chosen === 'people' ? {} : { view: chosen })}
        />
      </div>
      <Panel search={search} onOpen={open} />
    </Page>
  )
}
