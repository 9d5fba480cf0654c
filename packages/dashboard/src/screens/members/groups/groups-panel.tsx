import { Users } from 'lucide-react'
import { useList, useWrite } from '../../../api/use-api.ts'
import { NameButton } from '../../../components/button.tsx'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { DocsLink } from '../../../components/docs-link.tsx'
import { MoreButton } from '../../../components/more-button.tsx'
import { Panel } from '../../../components/panel.tsx'
import { RowMenu } from '../../../components/row-menu.tsx'
import { EmptyState, Loaded } from '../../../components/states.tsx'
import { Cell, Row, rowActions, Table } from '../../../components/table.tsx'
import { showToast } from '../../../components/toasts.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { CreatedAge } from '../../made-by.tsx'
import type { PanelProps } from '../panel-props.ts'
import { chosenBy, type Group } from './group.ts'
import { GroupDialog } from './group-dialog.tsx'
import { GroupDrawer } from './group-drawer.tsx'

/** Lists the groups of the organization, with the dialogs that change them. */
export function GroupsPanel({ search, onOpen }: PanelProps) {
  const { can } = useOrganization()
  const groups = useList('GET /organizations/{org_id}/groups')
  const close = () => onOpen({})
  return (
    <>
      <Panel title="Groups" flush>
        <Loaded query={groups}>
          {(items) =>
            items.length === 0 ? (
              <EmptyState icon={Users} title="No groups yet">
                A group gives several people the same grants. Without a grant it allows nothing.
                <p className="mt-2">
                  <DocsLink page="access">About groups and grants</DocsLink>
                </p>
              </EmptyState>
            ) : (
              <Table columns={['Group', 'Members', 'Created', rowActions]}>
                {items.map((group) => (
                  <GroupRow
                    key={group.id}
                    group={group}
                    panel={group.id === search.group ? search.panel : undefined}
                    onOpen={onOpen}
                  />
                ))}
              </Table>
            )
          }
        </Loaded>
        <MoreButton list={groups} />
      </Panel>
      {search.new === true && can('admin') && <GroupDialog onClose={close} />}
    </>
  )
}

interface GroupRowProps extends Pick<PanelProps, 'onOpen'> {
  readonly group: Group
  /** Names the open dialog about the group. */
  readonly panel: PanelProps['search']['panel'] | undefined
}

function GroupRow({ group, panel, onOpen }: GroupRowProps) {
  const { can } = useOrganization()
  const { id, name, source, memberCount } = group
  const close = () => onOpen({})
  // A directory would make it again.
  const mayChange = can('admin') && source !== 'scim'
  const open = (next: typeof panel) => onOpen({ group: id, panel: next })
  return (
    <Row>
      <Cell>
        <div className="min-w-36">
          <NameButton onClick={() => open('people')}>{name}</NameButton>
        </div>
        {source !== 'manual' && <div className="text-sm text-muted">{chosenBy[source]}</div>}
      </Cell>
      <Cell>{memberCount === 0 ? 'nobody' : memberCount}</Cell>
      <Cell className="wrap-anywhere">
        <CreatedAge {...group} />
      </Cell>
      <Cell className="text-right">
        <RowMenu
          label={`Actions for ${name}`}
          items={
            mayChange
              ? [
                  { label: 'Rename', onSelect: () => open('change') },
                  { label: 'Delete', danger: true, onSelect: () => open('delete') },
                ]
              : []
          }
        />
        {panel === 'people' && <GroupDrawer group={group} onClose={close} />}
        {mayChange && panel === 'change' && <GroupDialog group={group} onClose={close} />}
        {mayChange && panel === 'delete' && <DeleteGroup group={group} onClose={close} />}
      </Cell>
    </Row>
  )
}

/** Deletes a group with its grants after a confirmation. */
function DeleteGroup({ group, onClose }: Readonly<{ group: Group; onClose: () => void }>) {
  const remove = useWrite('DELETE /organizations/{org_id}/groups/{group_id}')
  const { id, name, memberCount } = group
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      action="Delete group"
      write={remove}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate({
          params: { group_id: id },
          onSuccess: () => {
            showToast({ text: `${name} was deleted.` })
            onClose()
          },
        })
      }
    >
      Its grants end immediately.{' '}
      {memberCount > 0 && 'Its people stay members of the organization with their own roles.'}
    </ConfirmDialog>
  )
}
