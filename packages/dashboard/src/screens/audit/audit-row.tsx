import type { ItemOf } from '../../api/routes.ts'
import { Age } from '../../parts/time.tsx'

type AuditEvent = ItemOf<'GET /organizations/{org_id}/audit-events'>

export function AuditRow({ event }: { readonly event: AuditEvent }) {
  const { at, actor, action, target, detail, ip, requestId } = event
  const details = Object.entries(detail)
  return (
    <tr>
      <td className="align-top">
        <Age at={at} />
      </td>
      <td className="align-top break-words">{actor.name}</td>
      <td className="align-top">
        <code className="font-mono text-sm">{action}</code>
        {details.length > 0 && (
          <details className="mt-1 text-sm text-muted">
            <summary>Details</summary>
            <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3">
              {details.map(([name, value]) => (
                <div key={name} className="contents">
                  <dt>{name}</dt>
                  <dd className="font-mono break-all">
                    {typeof value === 'string' ? value : JSON.stringify(value)}
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        )}
      </td>
      <td className="align-top break-words">{target.name ?? target.id ?? target.type}</td>
      <td className="align-top font-mono text-sm text-muted" title={requestId ?? undefined}>
        {ip ?? '–'}
      </td>
    </tr>
  )
}
