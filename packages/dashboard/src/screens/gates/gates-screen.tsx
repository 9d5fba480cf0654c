import type { Gate } from '@signalbox/contract/rest'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Eye, OctagonPause, Plus } from 'lucide-react'
import { useList, useRead, useWrite } from '../../api/use-api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DocsLink } from '../../components/docs-link.tsx'
import { LongText } from '../../components/long-text.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { Cell, Row, rowActions, Table } from '../../components/table.tsx'
import { toExactTime } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'
import { PageLink } from '../../session/page-link.tsx'
import { explainLack, useLack } from '../../session/use-capability.ts'
import { DecisionsPanel } from './decisions-panel.tsx'
import { describeRule } from './describe-rule.ts'
import { GateDialog } from './gate-dialog.tsx'
import type { GatesSearch } from './search.ts'
import { useNames } from './use-names.ts'

/** Shows what deployments wait for, and which of them wait now. */
export function GatesScreen() {
  const { can } = useOrganization()
  const gates = useList('GET /organizations/{org_id}/gates', { query: { limit: 100 } })
  const search = useSearch({ from: '/$org/gates' })
  const navigate = useNavigate({ from: '/$org/gates' })
  const open = (next: GatesSearch) =>
    void navigate({ search: { list: search.list, ...next }, replace: true })
  const create = can('admin') && (
    <Button variant="primary" icon={Plus} onClick={() => open({ gate: 'new' })}>
      New gate
    </Button>
  )
  return (
    <Page title="Gates" actions={create}>
      <p className="max-w-3xl text-muted">
        A gate holds a deployment up until what it needs is there: values, tests, time, or people.{' '}
        <DocsLink page="gates">How gates work</DocsLink>
      </p>
      <Frozen />
      <DecisionsPanel
        isAll={search.list === 'all'}
        onAll={(isAll) => open({ list: isAll ? 'all' : undefined })}
      />
      <Panel title="Gates" flush>
        <Loaded query={gates}>
          {(items) =>
            items.length === 0 ? (
              <EmptyState icon={OctagonPause} title="No gates yet" action={create}>
                Without a gate every deployment goes on. With one, those to production can wait
                until the tests of the same commit have passed in staging.
              </EmptyState>
            ) : (
              <Table
                columns={[
                  'Gate',
                  { title: 'Deployments wait until', className: 'w-1/2' },
                  'Where',
                  can('admin') && rowActions,
                ]}
              >
                {items.map((gate) => (
                  <GateRow key={gate.id} gate={gate} onOpen={open} />
                ))}
              </Table>
            )
          }
        </Loaded>
        <MoreButton list={gates} />
      </Panel>
      <HowToAsk />
      {can('admin') && <GateDialogs gates={gates.data ?? []} search={search} onOpen={open} />}
    </Page>
  )
}

interface GateDialogsProps {
  readonly gates: readonly Gate[]
  readonly search: GatesSearch
  readonly onOpen: (next: GatesSearch) => void
}

/** Renders the dialog that the address names. */
function GateDialogs({ gates, search: { gate: id, panel }, onOpen }: GateDialogsProps) {
  const onClose = () => onOpen({})
  const chosen = gates.find((gate) => gate.id === id)
  if (id === 'new') return <GateDialog onClose={onClose} />
  if (chosen === undefined) return null
  if (panel === 'change') return <GateDialog gate={chosen} onClose={onClose} />
  return panel === 'delete' ? <DeleteGate gate={chosen} onClose={onClose} /> : null
}

interface GateRowProps {
  readonly gate: Gate
  readonly onOpen: (next: GatesSearch) => void
}

function GateRow({ gate, onOpen }: GateRowProps) {
  const { can } = useOrganization()
  const { id, name, mode, rules } = gate
  const names = useNames()
  return (
    <Row>
      <Cell className="wrap-anywhere">
        <bdi className="font-medium">{name}</bdi>{' '}
        {mode === 'watch' && (
          <Badge icon={Eye} tone="neutral">
            only watches
          </Badge>
        )}
      </Cell>
      <Cell className="wrap-anywhere">
        <ul className="flex flex-col gap-1">
          {rules.map((rule, at) => (
            <li key={at}>{describeRule(rule, names)}</li>
          ))}
        </ul>
      </Cell>
      <Cell className="wrap-anywhere">
        <Where gate={gate} />
      </Cell>
      {can('admin') && (
        <Cell className="text-right">
          <RowMenu
            label={`Actions for ${name}`}
            items={[
              { label: 'Change', onSelect: () => onOpen({ gate: id, panel: 'change' }) },
              {
                label: 'Delete',
                danger: true,
                onSelect: () => onOpen({ gate: id, panel: 'delete' }),
              },
            ]}
          />
        </Cell>
      )}
    </Row>
  )
}

/** Names the environments and the repositories whose deployments wait. */
function Where({ gate: { environmentIds, repositories } }: { readonly gate: Gate }) {
  const names = useNames()
  return (
    <>
      <ul>
        {environmentIds.map((id) => (
          <li key={id}>
            <PageLink to={{ page: 'environments', search: { environment: id } }}>
              <bdi>{names.environment(id)}</bdi>
            </PageLink>
          </li>
        ))}
      </ul>
      <div className="text-sm text-muted">
        {repositories.length === 0 ? 'all repositories' : <bdi>{repositories.join(', ')}</bdi>}
      </div>
    </>
  )
}

interface DeleteGateProps {
  readonly gate: Gate
  readonly onClose: () => void
}

function DeleteGate({ gate: { id, name }, onClose }: DeleteGateProps) {
  const remove = useWrite('DELETE /organizations/{org_id}/gates/{gate_id}')
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      action="Delete gate"
      write={remove}
      onConfirm={() => remove.mutate({ params: { gate_id: id }, onSuccess: onClose })}
      onClose={onClose}
    >
      Deployments that wait for it alone go on. You can’t undo this.
    </ConfirmDialog>
  )
}

/** Says which environments are frozen, whatever their gates say. */
function Frozen() {
  const { data } = useRead('GET /organizations/{org_id}/freezes', { query: {} })
  const names = useNames()
  if (data === undefined || data.items.length === 0) return null
  return (
    <ul className="flex flex-col gap-1 rounded-md bg-warn-ground px-3 py-2 text-warn">
      {data.items.map(({ environmentId, until, reason }) => (
        <li key={environmentId} className="wrap-anywhere">
          <PageLink to={{ page: 'environments', search: { environment: environmentId } }}>
            <bdi>{names.environment(environmentId)}</bdi>
          </PageLink>{' '}
          is frozen until {toExactTime(until)}: <LongText text={reason} />
        </li>
      ))}
    </ul>
  )
}

/** Says how a deployment asks, and what the connected code host lacks for asking by itself. */
function HowToAsk() {
  const lack = useLack('codehost', 'holdDeployments')
  return (
    <details className="text-sm">
      <summary className="text-muted">How a deployment asks</summary>
      <div className="mt-2 flex max-w-3xl flex-col gap-2">
        <p>
          {lack === undefined
            ? 'The code host asks before it deploys, where the environment there has the rule of Signalbox. In any pipeline, a step asks before the one that deploys:'
            : `${explainLack(lack)} The step stands before the one that deploys:`}
        </p>
        <CodeBlock code="signalbox gate --environment production --wait 30m" />
      </div>
    </details>
  )
}
