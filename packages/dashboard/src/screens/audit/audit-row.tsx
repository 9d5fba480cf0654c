import { WithToken } from '../made-by.tsx'
import { Cell, Row } from '../../components/table.tsx'
import { toExactTime } from '../../components/time.tsx'
import { describeEvent, type AuditEvent, type EventNames } from './describe-event.ts'

interface AuditRowProps {
  readonly event: AuditEvent
  readonly names: EventNames
}

/** Shows one event of the audit log as a sentence. */
export function AuditRow({ event, names }: AuditRowProps) {
  const { at, actor, action, detail, ip, requestId } = event
  const { did, thing, where } = describeEvent(event, names)
  return (
    <Row>
      <Cell className="align-baseline">
        <time dateTime={at} className="whitespace-nowrap">
          {toExactTime(at)}
        </time>
      </Cell>
      <Cell className="min-w-48 align-baseline wrap-anywhere">
        <bdi className="font-medium">{actor.name}</bdi> {did}{' '}
        {thing !== '' && <bdi className="font-medium">{thing}</bdi>} {where}
        <WithToken credential={event.with} />
        <EventDetails action={action} detail={detail} requestId={requestId} />
      </Cell>
      <Cell className="align-baseline font-mono text-sm text-muted">{ip ?? '–'}</Cell>
    </Row>
  )
}

function EventDetails({
  action,
  detail,
  requestId,
}: Pick<AuditEvent, 'action' | 'detail' | 'requestId'>) {
  const fields = Object.entries({ action, ...detail, request: requestId })
  return (
    <details className="text-sm text-muted">
      <summary>Details</summary>
      <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3">
        {fields
          .filter(([, value]) => value !== null)
          .map(([field, value]) => (
            <div key={field} className="contents">
              <dt>{field}</dt>
              <dd className="font-mono break-all">{toText(value)}</dd>
            </div>
          ))}
      </dl>
    </details>
  )
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string')
  return isList ? value.join(', ') : JSON.stringify(value)
}
