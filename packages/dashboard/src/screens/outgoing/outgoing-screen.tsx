import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus, Send } from 'lucide-react'
import { useState } from 'react'
import { useList, useWrite } from '../../api/use-api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DocsLink } from '../../components/docs-link.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { Cell, Row, rowActions, Table } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'
import type { AnswerOf } from '../../api/routes.ts'
import { fieldsOf } from '../../browser/read-fields.ts'
import { SelectField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Created } from '../made-by.tsx'
import { MessagesDrawer } from './messages-drawer.tsx'
import {
  describeState,
  explainReason,
  listEvents,
  type OutgoingWebhook,
} from './outgoing-webhook.ts'
import type { OutgoingSearch } from './search.ts'
import { WebhookDialog } from './webhook-dialog.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

/** Shows the addresses that Signalbox sends events to. */
export function OutgoingScreen() {
  const { can } = useOrganization()
  const webhooks = useList('GET /organizations/{org_id}/outgoing-webhooks')
  const { webhook: openId, panel } = useSearch({ from: '/$org/outgoing-webhooks' })
  const navigate = useNavigate({ from: '/$org/outgoing-webhooks' })
  const open = (next: OutgoingSearch) => void navigate({ search: next, replace: true })
  const close = () => open({})
  const chosen = webhooks.data?.find(({ id }) => id === openId)
  const create = can('admin') && (
    <Button variant="primary" icon={Plus} onClick={() => open({ webhook: 'new' })}>
      New webhook
    </Button>
  )
  return (
    <Page title="Outgoing webhooks" actions={create}>
      <p className="max-w-3xl text-muted">
        Signalbox sends events to these addresses: as signed Standard Webhooks, or as Grafana
        annotations. <DocsLink page="integrations#outgoing-webhooks">What a message holds</DocsLink>
      </p>
      <Panel title="Webhooks" flush>
        <Loaded query={webhooks}>
          {(items) =>
            items.length === 0 ? (
              <EmptyState icon={Send} title="No outgoing webhooks yet" action={create}>
                Add one to tell another tool about changes, deployments and tests.
              </EmptyState>
            ) : (
              <Table columns={['Name', 'Events', 'State', rowActions]}>
                {items.map((webhook) => (
                  <WebhookRow key={webhook.id} webhook={webhook} onOpen={open} />
                ))}
              </Table>
            )
          }
        </Loaded>
        <MoreButton list={webhooks} />
      </Panel>
      <OpenedWebhook isNew={openId === 'new'} webhook={chosen} panel={panel} onClose={close} />
    </Page>
  )
}

interface OpenedWebhookProps {
  readonly isNew: boolean
  /** Holds the webhook that the address names. */
  readonly webhook: OutgoingWebhook | undefined
  readonly panel: OutgoingSearch['panel']
  readonly onClose: () => void
}

function OpenedWebhook({ isNew, webhook, panel, onClose }: OpenedWebhookProps) {
  const { can } = useOrganization()
  if (isNew) return can('admin') && <WebhookDialog webhook={undefined} onClose={onClose} />
  if (webhook === undefined || panel === undefined) return null
  if (panel === 'messages') return <MessagesDrawer webhook={webhook} onClose={onClose} />
  if (!can('admin')) return null
  return panel === 'change' ? (
    <WebhookDialog webhook={webhook} onClose={onClose} />
  ) : (
    <RotateWebhookDialog webhook={webhook} onClose={onClose} />
  )
}

interface WebhookRowProps {
  readonly webhook: OutgoingWebhook
  readonly onOpen: (next: OutgoingSearch) => void
}

function WebhookRow({ webhook, onOpen }: WebhookRowProps) {
  const { can } = useOrganization()
  const update = useWrite('PATCH /organizations/{org_id}/outgoing-webhooks/{webhook_id}')
  const remove = useWrite('DELETE /organizations/{org_id}/outgoing-webhooks/{webhook_id}')
  const [isRemoving, setRemoving] = useState(false)
  const { id, name, url, events, enabled } = webhook
  const target = { webhook_id: id }
  const messages = { label: 'Messages', onSelect: () => onOpen({ webhook: id, panel: 'messages' }) }
  return (
    <Row>
      <Cell>
        <div className="min-w-32 font-medium wrap-anywhere">{name}</div>
        <div className="text-sm break-all text-muted">{url}</div>
        <div className="text-sm wrap-anywhere text-muted">
          <Created {...webhook} />
        </div>
      </Cell>
      <Cell>{listEvents(events)}</Cell>
      <Cell>
        <WebhookState webhook={webhook} />
      </Cell>
      <Cell className="text-right">
        <RowMenu
          label={`Actions for ${name}`}
          items={
            can('admin')
              ? [
                  messages,
                  { label: 'Change', onSelect: () => onOpen({ webhook: id, panel: 'change' }) },
                  {
                    label: enabled ? 'Switch off' : 'Switch on',
                    onSelect: () => update.mutate({ params: target, body: { enabled: !enabled } }),
                  },
                  { label: 'New secret', onSelect: () => onOpen({ webhook: id, panel: 'rotate' }) },
                  { label: 'Delete', danger: true, onSelect: () => setRemoving(true) },
                ]
              : [messages]
          }
        />
        {isRemoving && (
          <ConfirmDialog
            title={`Delete ${name}?`}
            action="Delete webhook"
            write={remove}
            onClose={() => setRemoving(false)}
            onConfirm={() => remove.mutate({ params: target })}
          >
            Signalbox stops sending to it and deletes its messages. You can’t undo this.
          </ConfirmDialog>
        )}
      </Cell>
    </Row>
  )
}

function WebhookState({ webhook }: { readonly webhook: OutgoingWebhook }) {
  const { text, tone } = describeState(webhook)
  const { health, overlapEndsAt } = webhook
  return (
    <div className="flex flex-col items-start gap-1">
      <Badge tone={tone}>{text}</Badge>
      {health.reason !== null && (
        <span className="text-sm text-muted">{explainReason(health.reason)}</span>
      )}
      {health.state === 'gone' && (
        <span className="text-sm text-muted">Change the address, then switch the webhook on.</span>
      )}
      {health.lastSentAt !== null && (
        <span className="text-sm text-muted">
          last sent <Age at={health.lastSentAt} />
        </span>
      )}
      {overlapEndsAt !== null && (
        <span className="text-sm text-muted">
          old secret ends <Age at={overlapEndsAt} />
        </span>
      )}
    </div>
  )
}

interface RotateWebhookDialogProps {
  readonly webhook: OutgoingWebhook
  readonly onClose: () => void
}

/** Replaces the secret of an outgoing webhook, and shows the new one once. */
function RotateWebhookDialog({ webhook, onClose }: RotateWebhookDialogProps) {
  const rotate = useWrite('POST /organizations/{org_id}/outgoing-webhooks/{webhook_id}/rotate')
  const [rotated, setRotated] =
    useState<AnswerOf<'POST /organizations/{org_id}/outgoing-webhooks/{webhook_id}/rotate'>>()

  if (rotated !== undefined) return <WebhookSecret webhook={rotated} onClose={onClose} />
  const submit = (form: HTMLFormElement) => {
    const overlapSeconds = Number(fieldsOf(form)('overlapSeconds'))
    const request = { params: { webhook_id: webhook.id }, body: { overlapSeconds } }
    rotate.mutate({ ...request, onSuccess: setRotated })
  }
  return (
    <FormDialog
      title={`New secret for ${webhook.name}`}
      description="Until the old secret ends, Signalbox signs each message with both, so the receiver refuses none."
      onClose={onClose}
      write={rotate}
      submitLabel="Make a new secret"
      onSubmit={submit}
    >
      <SelectField
        label="Keep signing with the old secret"
        name="overlapSeconds"
        defaultValue="86400"
      >
        <option value="0">not at all</option>
        <option value="3600">for an hour</option>
        <option value="86400">for a day</option>
        <option value="604800">for a week</option>
      </SelectField>
    </FormDialog>
  )
}
