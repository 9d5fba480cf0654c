import { useNavigate, useSearch } from '@tanstack/react-router'
import { RefreshCw, Webhook } from 'lucide-react'
import type { ItemOf } from '../../api/routes.ts'
import { useList, useWrite } from '../../api/use-api.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { PageLink } from '../../session/page-link.tsx'
import { EmptyState, FormProblem, Loaded } from '../../components/states.tsx'
import { Table } from '../../components/table.tsx'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'
import { FailedJobsPanel } from '../failed-jobs/failed-jobs-panel.tsx'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import { DeliveryRow } from './delivery-row.tsx'
import type { WebhooksSearch } from './search.ts'
import { describeReplay } from './describe-replay.ts'
import { WebhookFilters } from './webhook-filters.tsx'

/** Shows the webhooks of the providers with their outcomes, and replays them. */
export function WebhooksScreen() {
  const { params, can, slug } = useOrganization()
  const search = useSearch({ from: '/$org/webhooks' })
  const navigate = useNavigate()
  const { delivery, ...query } = search
  const deliveries = useList('GET /organizations/{org_id}/webhook-deliveries', { params, query })
  const replay = useWrite('POST /organizations/{org_id}/webhook-deliveries/replay')
  const go = (next: WebhooksSearch) =>
    void navigate({ to: '/$org/webhooks', params: { org: slug }, search: next, replace: true })

  const replayFailed = () =>
    replay.mutate(
      { params, body: { state: 'failed', ...(query.kind && { kind: query.kind }) } },
      {
        onSuccess: (answer) => showToast({ text: describeReplay(answer) }),
      },
    )
  const isFiltered = Object.values(query).some((value) => value !== undefined)
  return (
    <Page
      title="Incoming webhooks"
      actions={
        can('developer') && (
          <Button icon={RefreshCw} pending={replay.isPending} onClick={replayFailed}>
            Replay failed
          </Button>
        )
      }
    >
      <FormProblem problem={replay.error} />
      <FailedJobsPanel />
      <Panel
        title="Deliveries"
        flush
        actions={<WebhookFilters search={query} onChange={(next) => go(next)} />}
      >
        <Loaded query={deliveries}>
          {(items) =>
            items.length === 0 ? (
              <NoDeliveries isFiltered={isFiltered} onClear={() => go({})} />
            ) : (
              <DeliveryTable deliveries={items} onOpen={(id) => go({ ...query, delivery: id })} />
            )
          }
        </Loaded>
        <MoreButton list={deliveries} />
      </Panel>
      {delivery !== undefined && <DeliveryDrawer deliveryId={delivery} onClose={() => go(query)} />}
    </Page>
  )
}

interface DeliveryTableProps {
  readonly deliveries: readonly ItemOf<'GET /organizations/{org_id}/webhook-deliveries'>[]
  readonly onOpen: (deliveryId: string) => void
}

function DeliveryTable({ deliveries, onOpen }: DeliveryTableProps) {
  return (
    <Table columns={['Event', 'State', 'Attempts', 'Received', { title: 'Open', kind: 'actions' }]}>
      {deliveries.map((one) => (
        <DeliveryRow key={one.id} delivery={one} onOpen={() => onOpen(one.id)} />
      ))}
    </Table>
  )
}

interface NoDeliveriesProps {
  readonly isFiltered: boolean
  readonly onClear: () => void
}

function NoDeliveries({ isFiltered, onClear }: NoDeliveriesProps) {
  return isFiltered ? (
    <EmptyState
      icon={Webhook}
      title="Nothing matches"
      action={<Button onClick={onClear}>Clear the filters</Button>}
    >
      No webhook matches all of the filters.
    </EmptyState>
  ) : (
    <EmptyState
      icon={Webhook}
      title="No webhooks yet"
      action={
        <PageLink to={{ page: 'integrations' }} className={buttonClass('plain')}>
          Open the integrations
        </PageLink>
      }
    >
      What your integrations send to this server appears here. Where a code host keeps a log of its
      webhooks, Signalbox reads it every minute, and so receives those that didn’t reach this
      server.
    </EmptyState>
  )
}
