import { useList, useWrite } from '../../api/use-api.ts'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { EmptyState, FormProblem, Loaded } from '../../components/states.tsx'
import { Cell, Row, rowActions, Table } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'
import { Send } from 'lucide-react'
import { useOrganization } from '../../session/organization.ts'
import { explainReason, type OutgoingMessage, type OutgoingWebhook } from './outgoing-webhook.ts'

const states: Readonly<Record<OutgoingMessage['state'], readonly [text: string, tone: Tone]>> = {
  waiting: ['Waiting', 'info'],
  sent: ['Sent', 'ok'],
  failed: ['Failed', 'bad'],
}

interface MessagesDrawerProps {
  readonly webhook: OutgoingWebhook
  readonly onClose: () => void
}

/** Lists the messages of an outgoing webhook with the receiver's answers, and sends them again. */
export function MessagesDrawer({ webhook, onClose }: MessagesDrawerProps) {
  const { can } = useOrganization()
  const target = { webhook_id: webhook.id }
  const messages = useList('GET /organizations/{org_id}/outgoing-webhooks/{webhook_id}/messages', {
    params: target,
  })
  const test = useWrite('POST /organizations/{org_id}/outgoing-webhooks/{webhook_id}/test')
  const replay = useWrite(
    'POST /organizations/{org_id}/outgoing-webhooks/{webhook_id}/messages/{message_id}/replay',
  )
  return (
    <Dialog title={`Messages to ${webhook.name}`} shape="drawer" onClose={onClose}>
      <p className="mb-3 break-all text-muted">{webhook.url}</p>
      <FormProblem problem={test.error ?? replay.error} />
      {can('admin') && (
        <div className="mb-3">
          <Button
            icon={Send}
            pending={test.isPending}
            onClick={() => test.mutate({ params: target })}
          >
            Send a test
          </Button>
        </div>
      )}
      <Loaded query={messages}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState icon={Send} title="No messages yet">
              Messages appear here with the receiver’s answers, and stay for 30 days.
            </EmptyState>
          ) : (
            <Table columns={['Event', 'State', 'When', rowActions]}>
              {items.map((message) => (
                <MessageRow
                  key={message.id}
                  message={message}
                  onReplay={
                    can('admin')
                      ? () => replay.mutate({ params: { ...target, message_id: message.id } })
                      : undefined
                  }
                />
              ))}
            </Table>
          )
        }
      </Loaded>
      <MoreButton list={messages} />
    </Dialog>
  )
}

/** Returns whether an attempt is due within ten seconds, which an age would call `just now`. */
function isDue(at: string): boolean {
  return Date.parse(at) - Date.now() < 10_000
}

function MessageState({ message }: { readonly message: OutgoingMessage }) {
  const [text, tone] = states[message.state]
  const { attempts, status, reason, nextAttemptAt } = message
  return (
    <div className="flex flex-col items-start gap-1">
      <Badge tone={tone}>{status === null ? text : `${text} · ${status}`}</Badge>
      {reason !== null && (
        <div className="text-sm break-words text-muted">{explainReason(reason)}</div>
      )}
      {attempts > 1 && <div className="text-sm text-muted">{attempts} attempts</div>}
      {reason !== null && nextAttemptAt !== null && (
        <div className="text-sm text-muted">
          {isDue(nextAttemptAt) ? (
            'next attempt in a moment'
          ) : (
            <>
              next attempt <Age at={nextAttemptAt} />
            </>
          )}
        </div>
      )}
    </div>
  )
}

interface MessageRowProps {
  readonly message: OutgoingMessage
  /** Sends it again; `undefined` for a person who may not. */
  readonly onReplay: (() => void) | undefined
}

function MessageRow({ message, onReplay }: MessageRowProps) {
  return (
    <Row>
      <Cell>
        <div className="font-mono text-sm break-words">{message.type}</div>
        <div className="font-mono text-xs break-all text-muted">{message.id}</div>
      </Cell>
      <Cell>
        <MessageState message={message} />
      </Cell>
      <Cell>
        <Age at={message.sentAt ?? message.createdAt} />
      </Cell>
      <Cell className="text-right">
        {onReplay !== undefined && message.state !== 'waiting' && (
          <span className="whitespace-nowrap">
            <Button variant="quiet" onClick={onReplay}>
              Send again
            </Button>
          </span>
        )}
      </Cell>
    </Row>
  )
}
