import { ShieldPlus } from 'lucide-react'
import type { ItemOf } from '../../../api/routes.ts'
import { useList, useWrite } from '../../../api/use-api.ts'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { DocsLink } from '../../../components/docs-link.tsx'
import { MoreButton } from '../../../components/more-button.tsx'
import { Panel } from '../../../components/panel.tsx'
import { RowMenu } from '../../../components/row-menu.tsx'
import { EmptyState, Loaded } from '../../../components/states.tsx'
import { Cell, Row, rowActions, Table } from '../../../components/table.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { CreatedAge } from '../../made-by.tsx'
import { GrantSentence } from '../access/grant-sentence.tsx'
import type { PanelProps } from '../panel-props.ts'
import { GrantDialog } from './grant-dialog.tsx'

type Grant = ItemOf<'GET /organizations/{org_id}/grants'>

/** Lists the grants of the organization as sentences, with the dialogs that change them. */
export function GrantsPanel({ search, onOpen }: PanelProps) {
  const { can } = useOrganization()
  const grants = useList('GET /organizations/{org_id}/grants')
  return (
    <>
      <Panel title="Grants" flush>
        <Loaded query={grants}>
          {(items) =>
            items.length === 0 ? (
              <EmptyState icon={ShieldPlus} title="No grants yet">
                Each member has one role everywhere. A grant adds to it, in some environments and
                schemas: to write staging, or to read the secrets of production.
                <p className="mt-2">
                  <DocsLink page="access">About groups and grants</DocsLink>
                </p>
              </EmptyState>
            ) : (
              <Table columns={['Grant', 'Created', rowActions]}>
                {items.map((grant) => (
                  <GrantRow
                    key={grant.id}
                    grant={grant}
                    panel={grant.id === search.grant ? search.panel : undefined}
                    onOpen={onOpen}
                  />
                ))}
              </Table>
            )
          }
        </Loaded>
        <MoreButton list={grants} />
      </Panel>
      {search.new === true && can('admin') && <GrantDialog onClose={() => onOpen({})} />}
    </>
  )
}

interface GrantRowProps extends Pick<PanelProps, 'onOpen'> {
  readonly grant: Grant
  /** Names the open dialog about the grant. */
  readonly panel: PanelProps['search']['panel'] | undefined
}

function GrantRow({ grant, panel, onOpen }: GrantRowProps) {
  const { can } = useOrganization()
  const mayChange = can('admin')
  const close = () => onOpen({})
  const open = (next: typeof panel) => onOpen({ grant: grant.id, panel: next })
  return (
    <Row>
      <Cell>
        <div className="min-w-44">
          <GrantSentence grant={grant} />
        </div>
      </Cell>
      <Cell className="wrap-anywhere">
        <CreatedAge {...grant} />
      </Cell>
      <Cell className="text-right">
        <RowMenu
          label={`Actions for the grant of ${grant.subject.name}`}
          items={
            mayChange
              ? [
                  { label: 'Change', onSelect: () => open('change') },
                  { label: 'End', danger: true, onSelect: () => open('delete') },
                ]
              : []
          }
        />
        {mayChange && panel === 'change' && <GrantDialog grant={grant} onClose={close} />}
        {mayChange && panel === 'delete' && <EndGrant grant={grant} onClose={close} />}
      </Cell>
    </Row>
  )
}

/** Ends a grant after a confirmation. */
function EndGrant({ grant, onClose }: Readonly<{ grant: Grant; onClose: () => void }>) {
  const end = useWrite('DELETE /organizations/{org_id}/grants/{grant_id}')
  return (
    <ConfirmDialog
      title="End this grant?"
      action="End grant"
      write={end}
      onClose={onClose}
      onConfirm={() => end.mutate({ params: { grant_id: grant.id }, onSuccess: onClose })}
    >
      <GrantSentence grant={grant} />. That ends immediately, on open pages too. Roles and other
      grants stay.
    </ConfirmDialog>
  )
}
