import { DeploymentRow } from './deployment-row.tsx'
import { groupDays, nameDay } from '../../../components/group-days.ts'
import { Row } from '../../../components/table.tsx'
import type { Deployment } from './deployment.ts'

/**
 * Shows deployments by day in the reader's time zone, newest first. On narrow screens, the cells of a row flow in
 * lines. The roles are explicit, because browsers drop them where CSS lays a table out as something else. The titles of
 * the columns are for screen readers: what a column holds can be seen.
 */
export function DeploymentTable({ items }: { readonly items: readonly Deployment[] }) {
  const now = new Date()
  return (
    <div className="min-w-0 overflow-x-clip rounded-lg border border-line bg-panel">
      <table role="table" className="table table-fixed max-lg:block">
        <caption className="sr-only">Deployments, newest first</caption>
        <colgroup>
          <col className="w-32" />
          <col className="w-32" />
          <col />
          <col className="w-72" />
          <col className="w-40" />
        </colgroup>
        <thead role="rowgroup" className="sr-only">
          <Row>
            {['State', 'Environment', 'Commit', 'Tests and message', 'Deployed'].map((title) => (
              <th key={title} role="columnheader" scope="col">
                {title}
              </th>
            ))}
          </Row>
        </thead>
        {groupDays(items, ({ createdAt }) => createdAt).map(({ date, items: ofDay }) => (
          <tbody role="rowgroup" key={date} className="max-lg:block">
            <Row className="bg-raised/60 max-lg:block hover:bg-raised/60!">
              <th
                role="rowheader"
                scope="rowgroup"
                colSpan={5}
                className="h-6 py-0! max-lg:block max-lg:py-1!"
              >
                <span className="font-medium text-text">{nameDay(date, now)}</span>{' '}
                <span>{ofDay.length}</span>
              </th>
            </Row>
            {ofDay.map((deployment) => (
              <DeploymentRow key={deployment.id} deployment={deployment} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}
