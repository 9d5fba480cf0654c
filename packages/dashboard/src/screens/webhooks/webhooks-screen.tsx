import { useNavigate, useSearch } from '@tanstack/react-router'
import { RefreshCw, Webhook } from 'lucide-react'
import { useState } from 'react'
import type { ItemOf } from '../../api/routes.ts'
import { useList, useRead, useWrite } from '../../api/use-api.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { PageLink } from '../../session/page-link.tsx'
import { EmptyState, FormProblem, Loaded } from '../../components/states.tsx'
import { Table } from '../../components/table.tsx'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'
import { CodeBlock } from '../../components/code.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { toExactTime } from '../../components/time.tsx'
import { FailedJobsPanel } from '../failed-jobs/failed-jobs-panel.tsx'
import { DeliveryRow, describeWaiting, type Delivery } from './delivery-row.tsx'
import {
  kindChoices,
  readWebhooksSearch,
  stateChoices,
  stateNames,
  type WebhooksSearch,
} from './search.ts'
import { describeReplay } from './describe-replay.ts'

/** Shows the webhooks of the providers with their outcomes, and replays them. */
export function WebhooksScreen() {
  const { can, slug } = useOrganization()
  const search = useSearch({ from: '/$org/webhooks' })
  const navigate = useNavigate()
  const { delivery, ...query } = search
  const deliveries = useList('GET /organizations/{org_id}/webhook-deliveries', { query })
  const replay = useWrite('POST /organizations/{org_id}/webhook-deliveries/replay')
  const go = (next: WebhooksSearch) =>
    void navigate({ to: '/$org/webhooks', params: { org: slug }, search: next, replace: true })

  const replayFailed = () =>
    replay.mutate({
      body: { state: 'failed', ...(query.kind && { kind: query.kind }) },
      onSuccess: (answer) => showToast({ text: describeReplay(answer) }),
    })
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

interface WebhookFiltersProps {
  readonly search: WebhooksSearch
  readonly onChange: (search: WebhooksSearch) => void
}

function WebhookFilters({ search, onChange }: WebhookFiltersProps) {
  const set = (name: string, value: string) =>
    onChange(readWebhooksSearch({ ...search, [name]: value }))
  const event = search.event ?? ''
  const [typed, setTyped] = useState({ at: event, text: event })
  // Something else may have changed the address, such as clearing the filters.
  const text = typed.at === event ? typed.text : event
  const find = () => {
    const trimmed = text.trim()
    if (trimmed === event) return
    setTyped({ at: trimmed, text: trimmed })
    set('event', trimmed)
  }
  return (
    <div className="flex flex-wrap gap-2">
      <input
        className="control w-44"
        aria-label="Event"
        placeholder="Event, such as push"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => setTyped({ at: event, text: target.value })}
        onBlur={find}
        onKeyDown={({ key }) => {
          if (key === 'Enter') find()
        }}
      />
      <select
        className="control w-auto"
        aria-label="Integration"
        value={search.kind ?? ''}
        onChange={({ target }) => set('kind', target.value)}
      >
        <option value="">Every integration</option>
        {kindChoices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <select
        className="control w-auto"
        aria-label="State"
        value={search.state ?? ''}
        onChange={({ target }) => set('state', target.value)}
      >
        <option value="">Every state</option>
        {stateChoices.map((state) => (
          <option key={state} value={state}>
            {stateNames[state]}
          </option>
        ))}
      </select>
    </div>
  )
}

interface DeliveryDrawerProps {
  readonly deliveryId: string
  readonly onClose: () => void
}

/** Shows one webhook as it was sent, with its outcome. */
function DeliveryDrawer({ deliveryId, onClose }: DeliveryDrawerProps) {
  const { can } = useOrganization()
  const request = { params: { delivery_id: deliveryId } }
  const delivery = useRead('GET /organizations/{org_id}/webhook-deliveries/{delivery_id}', request)
  const replay = useWrite('POST /organizations/{org_id}/webhook-deliveries/{delivery_id}/replay')
  return (
    <Dialog
      shape="drawer"
      title="Webhook"
      description={<code className="break-all">{deliveryId}</code>}
      onClose={onClose}
    >
      <Loaded query={delivery}>
        {(one) => (
          <>
            <DeliveryOutcome delivery={one} />
            <FormProblem problem={replay.error} />
            {can('developer') && (
              <DialogActions>
                <Button
                  pending={replay.isPending}
                  onClick={() =>
                    replay.mutate({
                      ...request,
                      onSuccess: () => showToast({ text: 'The webhook is being replayed.' }),
                    })
                  }
                >
                  Replay
                </Button>
              </DialogActions>
            )}
            <h3 className="font-semibold">Headers</h3>
            <CodeBlock
              code={Object.entries(one.headers)
                .map(([name, value]) => `${name}: ${value}`)
                .join('\n')}
            />
            <h3 className="font-semibold">Payload</h3>
            <CodeBlock code={JSON.stringify(one.payload, null, 2)} />
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

function DeliveryOutcome({ delivery }: { readonly delivery: Delivery }) {
  const { event, action, state, reason, receivedAt, processedAt } = delivery
  const waiting = describeWaiting(delivery)
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 [&>dt]:text-muted">
      <dt>Event</dt>
      <dd className="font-mono break-all">
        {event}
        {action !== null && `.${action}`}
      </dd>
      <dt>State</dt>
      <dd className="break-words">
        {stateNames[state]}
        {reason !== null && `: ${reason}`}
        {waiting !== null && `. ${waiting}`}
      </dd>
      <dt>Received</dt>
      <dd>{toExactTime(receivedAt)}</dd>
      <dt>Processed</dt>
      <dd>{processedAt === null ? 'not yet' : toExactTime(processedAt)}</dd>
    </dl>
  )
}
