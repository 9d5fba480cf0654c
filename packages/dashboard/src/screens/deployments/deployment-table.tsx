import { DeploymentRow } from './deployment-row.tsx'
import type { Deployment } from './deployment-list.tsx'
import { groupDays, nameDay } from '../../parts/group-days.ts'

/** Deployments, newest first, under the days of the reader. On narrow screens, the cells of a row stand in lines. */
export function DeploymentTable({ items }: { readonly items: readonly Deployment[] }) {
  const now = new Date()
  return (
    <div className="min-w-0 overflow-x-clip rounded-lg border border-line bg-panel">
      <table className="table table-fixed max-lg:block">
        <caption className="sr-only">Deployments, newest first</caption>
        <thead className="max-lg:sr-only">
          <tr>
            <th scope="col" className="w-32">
              State
            </th>
            <th scope="col" className="w-36">
              Environment
            </th>
            <th scope="col">Commit</th>
            <th scope="col" className="w-40">
              Tests
            </th>
            <th scope="col" className="w-28">
              Message
            </th>
            <th scope="col" className="w-40">
              Deployed
            </th>
          </tr>
        </thead>
        {groupDays(items, ({ createdAt }) => createdAt).map(({ date, items: ofDay }) => (
          <tbody key={date} className="max-lg:block">
            <tr className="bg-raised/60 max-lg:block hover:bg-raised/60!">
              <th scope="rowgroup" colSpan={6} className="py-1.5! max-lg:block">
                <span className="font-medium text-text">{nameDay(date, now)}</span>{' '}
                <span>{ofDay.length}</span>
              </th>
            </tr>
            {ofDay.map((deployment) => (
              <DeploymentRow key={deployment.id} deployment={deployment} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}
