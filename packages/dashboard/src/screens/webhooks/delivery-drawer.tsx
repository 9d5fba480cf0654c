import { useRead, useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { FormProblem, Loaded } from '../../components/states.tsx'
import { showToast } from '../../components/toasts.tsx'
import { toExactTime } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'
import { describeWaiting, type Delivery } from './delivery-row.tsx'
import { stateNames } from './search.ts'

interface DeliveryDrawerProps {
  readonly deliveryId: string
  readonly onClose: () => void
}

/** Shows one webhook as it was sent, with its outcome. */
export function DeliveryDrawer({ deliveryId, onClose }: DeliveryDrawerProps) {
  const { params, can } = useOrganization()
  const request = { params: { ...params, delivery_id: deliveryId } }
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
                    replay.mutate(request, {
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
