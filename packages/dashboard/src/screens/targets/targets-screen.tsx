import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { CloudUpload, Plus } from 'lucide-react'
import { useList } from '../../api/use-api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { DocsLink } from '../../components/docs-link.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'
import { CreateTargetDialog } from './create-target-dialog.tsx'
import { OneTarget } from './one-target.tsx'
import { describeSelection, describeState, type Target } from './target.ts'

/** Shows all targets, or one of them. */
export function TargetsScreen() {
  const { target } = useSearch({ from: '/$org/targets' })
  return target === undefined ? <AllTargets /> : <OneTarget key={target} targetId={target} />
}

/** Lists the targets with their health, and offers to create one. */
function AllTargets() {
  const { can } = useOrganization()
  const { panel } = useSearch({ from: '/$org/targets' })
  const navigate = useNavigate({ from: '/$org/targets' })
  const targets = useList('GET /organizations/{org_id}/targets')
  const create = can('admin') && (
    <Button
      variant="primary"
      icon={Plus}
      onClick={() => void navigate({ search: { panel: 'create' }, replace: true })}
    >
      New target
    </Button>
  )
  return (
    <Page title="Targets" actions={create}>
      <p className="max-w-3xl text-muted">
        A target is a place that gets the values of an environment after each change, such as the
        secrets of a repository. Signalbox touches only the names that it wrote.{' '}
        <DocsLink page="targets">How targets work</DocsLink>
      </p>
      <Panel title="All targets" flush>
        <Loaded query={targets}>
          {(items) =>
            items.length === 0 ? (
              <EmptyState icon={CloudUpload} title="No targets yet" action={create}>
                Add one to keep the secrets and variables of another service as they are here.
                {!can('admin') && ' Admins of this organization can add one.'}
              </EmptyState>
            ) : (
              <Table columns={['Target', 'Source', 'Keys', 'State', 'Last run']}>
                {items.map((target) => (
                  <TargetRow key={target.id} target={target} />
                ))}
              </Table>
            )
          }
        </Loaded>
        <MoreButton list={targets} />
      </Panel>
      {panel === 'create' && can('admin') && (
        <CreateTargetDialog
          onCreated={(target) => void navigate({ search: { target } })}
          onClose={() => void navigate({ search: {}, replace: true })}
        />
      )}
    </Page>
  )
}

function TargetRow({ target }: { readonly target: Target }) {
  const { slug } = useOrganization()
  const { id, name, schema, environment, destinationName, providerName, health, lastRunAt } = target
  const { text, tone } = describeState(target)
  return (
    <Row>
      <Cell>
        <div className="min-w-32 font-medium wrap-anywhere">
          <Link to="/$org/targets" params={{ org: slug }} search={{ target: id }}>
            {name}
          </Link>
        </div>
        <div className="text-sm wrap-anywhere text-muted">
          {providerName}: <bdi>{destinationName}</bdi>
        </div>
      </Cell>
      <Cell>
        <span className="wrap-anywhere">
          <bdi>{schema ?? 'a deleted schema'}</bdi> in{' '}
          <bdi>{environment ?? 'a deleted environment'}</bdi>
        </span>
      </Cell>
      <Cell>
        <span className="wrap-anywhere">{describeSelection(target)}</span>
      </Cell>
      <Cell>
        <div className="flex flex-col items-start gap-1">
          <Badge tone={tone}>{text}</Badge>
          {health.detail !== null && (
            <span className="text-sm wrap-anywhere text-muted">{health.detail}</span>
          )}
        </div>
      </Cell>
      <Cell>
        {lastRunAt === null ? <span className="text-muted">Never</span> : <Age at={lastRunAt} />}
      </Cell>
    </Row>
  )
}
