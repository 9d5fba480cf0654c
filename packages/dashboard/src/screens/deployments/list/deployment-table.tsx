import { DeploymentRow } from './deployment-row.tsx'
import { groupDays, nameDay } from '../../../components/group-days.ts'
import { Row } from '../../../components/table.tsx'
import type { Deployment } from './deployment.ts'

/**
 * Shows deployments by day in the reader's time zone, newest first. On narrow screens, the cells of a row flow in
 * lines. The roles are explicit, because browsers drop them where CSS lays a table out as something else.
 */
export function DeploymentTable({ items }: { readonly items: readonly Deployment[] }) {
  const now = new Date()
  return (
    <div className="min-w-0 overflow-x-clip rounded-lg border border-line bg-panel">
      <table role="table" className="table table-fixed max-lg:block">
        <caption className="sr-only">Deployments, newest first</caption>
        <thead role="rowgroup" className="max-lg:sr-only">
          <Row>
            <th role="columnheader" scope="col" className="w-32">
              State
            </th>
            <th role="columnheader" scope="col" className="w-36">
              Environment
            </th>
            <th role="columnheader" scope="col">
              Commit
            </th>
            <th role="columnheader" scope="col" className="w-40">
              Tests
            </th>
            <th role="columnheader" scope="col" className="w-28">
              Message
            </th>
            <th role="columnheader" scope="col" className="w-40">
              Deployed
            </th>
          </Row>
        </thead>
        {groupDays(items, ({ createdAt }) => createdAt).map(({ date, items: ofDay }) => (
          <tbody role="rowgroup" key={date} className="max-lg:block">
            <Row className="bg-raised/60 max-lg:block hover:bg-raised/60!">
              <th role="rowheader" scope="rowgroup" colSpan={6} className="py-1.5! max-lg:block">
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
