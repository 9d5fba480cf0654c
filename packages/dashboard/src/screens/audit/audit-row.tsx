import type { ItemOf } from '../../api/routes.ts'
import { Age } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'
import { Cell, Row } from '../../components/table.tsx'

type AuditEvent = ItemOf<'GET /organizations/{org_id}/audit-events'>

/** Shows one event of the audit log. */
export function AuditRow({ event }: { readonly event: AuditEvent }) {
  const { at, actor, action, target, detail, ip, requestId } = event
  const { id, name } = useOrganization()
  const details = Object.entries(detail)
  return (
    <Row>
      <Cell className="align-baseline">
        <Age at={at} />
      </Cell>
      <Cell className="min-w-16 align-baseline wrap-anywhere">{actor.name}</Cell>
      <Cell className="align-baseline">
        <code className="font-mono text-sm">{action}</code>
        {details.length > 0 && (
          <details className="mt-1 text-sm text-muted">
            <summary>Details</summary>
            <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3">
              {details.map(([field, value]) => (
                <div key={field} className="contents">
                  <dt>{field}</dt>
                  <dd className="font-mono break-all">
                    {typeof value === 'string' ? value : JSON.stringify(value)}
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        )}
      </Cell>
      <Cell className="min-w-32 align-baseline wrap-anywhere">
        {target.name ?? (target.id === id ? name : target.id) ?? target.type}
      </Cell>
      <Cell className="align-baseline font-mono text-sm text-muted" title={requestId ?? undefined}>
        {ip ?? '–'}
      </Cell>
    </Row>
  )
}
