import type { ItemOf } from '../../api/routes.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Age } from '../../parts/time.tsx'
import { Cell, Row } from '../../parts/table.tsx'
import { stateNames } from './search.ts'

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
const providers = { github: 'GitHub', jira: 'Jira', slack: 'Slack' } as const

interface DeliveryRowProps {
  readonly delivery: Delivery
  readonly onOpen: () => void
}

export function DeliveryRow({ delivery, onOpen }: DeliveryRowProps) {
  const { provider, event, action, state, reason, origin, duplicates, attempts, receivedAt } =
    delivery
  return (
    <Row>
      <Cell>
        <div className="font-mono text-sm break-words">
          {event}
          {action !== null && `.${action}`}
        </div>
        <div className="text-sm text-muted">
          {[providers[provider], origins[origin]].filter((text) => text !== '').join(', ')}
        </div>
      </Cell>
      <Cell>
        <Badge tone={tones[state]}>{stateNames[state]}</Badge>
        {reason !== null && <div className="mt-1 text-sm break-words text-muted">{reason}</div>}
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
        <Button look="quiet" onClick={onOpen}>
          Open
        </Button>
      </Cell>
    </Row>
  )
}
