import { useNavigate, useSearch } from '@tanstack/react-router'
import { RefreshCw, Webhook } from 'lucide-react'
import { useList, useWrite } from '../../api/use-api.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { PathLink } from '../../parts/path-link.tsx'
import { EmptyState, FormProblem, Loaded } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useOrganization } from '../../shell/organization.ts'
import { DeadJobsPanel } from './dead-jobs-panel.tsx'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import { DeliveryRow } from './delivery-row.tsx'
import type { WebhooksSearch } from './search.ts'
import { tellReplayed } from './tell-replayed.ts'
import { WebhookFilters } from './webhook-filters.tsx'

/** What providers told us, what came of each, and doing it once more. */
export function WebhooksScreen() {
  const { params, can, slug } = useOrganization()
  const search = useSearch({ from: '/$org/webhooks' })
  const navigate = useNavigate()
  const { delivery, ...query } = search
  const deliveries = useList('GET /organizations/{org_id}/webhook-deliveries', { params, query })
  const replay = useWrite('POST /organizations/{org_id}/webhook-deliveries/replay')
  const go = (next: WebhooksSearch) =>
    void navigate({ to: '/$org/webhooks', params: { org: slug }, search: next })

  const replayFailed = () =>
    replay.mutate(
      { params, body: { state: 'failed', ...(query.kind && { kind: query.kind }) } },
      {
        onSuccess: (answer) => showToast({ text: tellReplayed(answer) }),
      },
    )
  const isFiltered = Object.values(query).some((value) => value !== undefined)
  return (
    <Page
      title="Webhooks"
      actions={
        can('developer') && (
          <Button icon={RefreshCw} pending={replay.isPending} onClick={replayFailed}>
            Replay all that failed
          </Button>
        )
      }
    >
      <FormProblem problem={replay.error} />
      <DeadJobsPanel />
      <Panel
        title="Deliveries"
        flush
        actions={<WebhookFilters search={query} onChange={(next) => go(next)} />}
      >
        <Loaded query={deliveries}>
          {(items) =>
            items.length === 0 ? (
              <EmptyState
                icon={Webhook}
                title={isFiltered ? 'Nothing matches' : 'No deliveries yet'}
                action={
                  isFiltered ? (
                    <Button onClick={() => go({})}>Clear the filters</Button>
                  ) : (
                    <PathLink path="/integrations" className={buttonLook('plain')}>
                      Open the integrations
                    </PathLink>
                  )
                }
              >
                {isFiltered
                  ? 'Nothing that was sent here matches all of the filters.'
                  : 'What GitHub and Slack send to this server appears here once they are connected. A server that GitHub cannot reach reads its delivery log every minute.'}
              </EmptyState>
            ) : (
              <Table
                columns={[
                  'Event',
                  'State',
                  'Attempts',
                  'Received',
                  { title: 'Open', kind: 'actions' },
                ]}
              >
                {items.map((one) => (
                  <DeliveryRow
                    key={one.id}
                    delivery={one}
                    onOpen={() => go({ ...query, delivery: one.id })}
                  />
                ))}
              </Table>
            )
          }
        </Loaded>
        <MoreButton list={deliveries} />
      </Panel>
      {delivery !== undefined && <DeliveryDrawer deliveryId={delivery} onClose={() => go(query)} />}
    </Page>
  )
}
