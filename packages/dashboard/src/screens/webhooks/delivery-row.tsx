import type { ItemOf } from '../../api/routes.ts'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Age } from '../../components/time.tsx'
import { Cell, Row } from '../../components/table.tsx'
import { stateNames } from './search.ts'

/** Describes one webhook that a provider sent. */
export type Delivery = ItemOf<'GET /organizations/{org_id}/webhook-deliveries'>

const tones: Readonly<Record<Delivery['state'], Tone>> = {
  received: 'info',
  processing: 'info',
  done: 'ok',
  ignored: 'neutral',
  failed: 'warn',
  dead: 'bad',
}

const origins = { push: '', pull: 'fetched from the log', replay: 'repeated' } as const

/** Returns in a sentence what a webhook waits for; `null` where it waits for no other. */
export function describeWaiting({ waitsFor }: Pick<Delivery, 'waitsFor'>): string | null {
  if (waitsFor === null) return null
  const { event, attempts } = waitsFor
  const tries = attempts === 1 ? 'once' : `${attempts} times`
  return attempts === 0
    ? `Waits for the ${event} before it.`
    : `Waits for the ${event} before it, which was tried ${tries}.`
}

interface DeliveryRowProps {
  readonly delivery: Delivery
  readonly onOpen: () => void
}

/** Shows one webhook of the list. */
export function DeliveryRow({ delivery, onOpen }: DeliveryRowProps) {
  const { displayName, event, action, state, reason, origin, duplicates, attempts, receivedAt } =
    delivery
  const waiting = describeWaiting(delivery)
  return (
    <Row>
      <Cell>
        <div className="font-mono text-sm break-words">
          {event}
          {action !== null && `.${action}`}
        </div>
        <div className="text-sm text-muted">
          {[displayName, origins[origin]].filter((text) => text !== '').join(', ')}
        </div>
      </Cell>
      <Cell>
        <Badge tone={tones[state]}>{stateNames[state]}</Badge>
        {reason !== null && <div className="mt-1 text-sm break-words text-muted">{reason}</div>}
        {waiting !== null && <div className="mt-1 text-sm break-words text-muted">{waiting}</div>}
      </Cell>
      <Cell>
        {attempts}
        {duplicates > 0 && (
          <span className="text-sm text-muted">
            {' '}
            and {duplicates} {duplicates === 1 ? 'duplicate' : 'duplicates'}
          </span>
        )}
      </Cell>
      <Cell>
        <Age at={receivedAt} />
      </Cell>
      <Cell className="text-right">
        <Button variant="quiet" onClick={onOpen}>
          Open
        </Button>
      </Cell>
    </Row>
  )
}
