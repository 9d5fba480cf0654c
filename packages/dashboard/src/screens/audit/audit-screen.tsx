import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { toUrl } from '../../api/call.ts'
import { useList } from '../../api/use-api.ts'
import { buttonLook } from '../../parts/button.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { useOrganization } from '../../shell/organization.ts'
import { AuditFilters } from './audit-filters.tsx'
import { AuditRow } from './audit-row.tsx'
import { ChainPanel } from './chain-panel.tsx'
import { toAuditQuery } from './search.ts'

/** Who did what, as far back as it is kept. */
export function AuditScreen() {
  const { params, slug } = useOrganization()
  const search = useSearch({ from: '/$org/audit' })
  const navigate = useNavigate()
  const query = toAuditQuery(search)
  const events = useList('GET /organizations/{org_id}/audit-events', { params, query })
  const exported = (format: string) =>
    toUrl('/organizations/{org_id}/audit-events/export', params, { ...query, format })
  return (
    <Page
      title="Audit log"
      actions={
        <>
          <a href={exported('csv')} download className={buttonLook()}>
            Export CSV
          </a>
          <a href={exported('jsonl')} download className={buttonLook()}>
            Export JSON lines
          </a>
        </>
      }
    >
      <ChainPanel />
      <Panel title="Events" flush>
        <AuditFilters
          key={JSON.stringify(search)}
          search={search}
          onChange={(next) =>
            void navigate({ to: '/$org/audit', params: { org: slug }, search: next })
          }
        />
        <Loaded query={events}>
          {(items) =>
            items.length === 0 ? (
              <EmptyState
                icon={ScrollText}
                title="Nothing matches"
                action={
                  <Link to="/$org/audit" params={{ org: slug }} className={buttonLook()}>
                    Clear the filters
                  </Link>
                }
              >
                Nothing that was done here fits all of the filters.
              </EmptyState>
            ) : (
              <table className="table">
                <thead>
                  <tr>
                    <th scope="col">When</th>
                    <th scope="col">Who</th>
                    <th scope="col">Action</th>
                    <th scope="col">On what</th>
                    <th scope="col">Address</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((event) => (
                    <AuditRow key={event.id} event={event} />
                  ))}
                </tbody>
              </table>
            )
          }
        </Loaded>
        <MoreButton list={events} />
      </Panel>
    </Page>
  )
}
