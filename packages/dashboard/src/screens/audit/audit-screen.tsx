import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { useList, useRead } from '../../api/use-api.ts'
import { buttonClass } from '../../components/button.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { EmptyState, FormProblem, Loaded } from '../../components/states.tsx'
import { Table } from '../../components/table.tsx'
import { useOrganization } from '../../session/organization.ts'
import { AuditExportButtons, useAuditExport } from './audit-exports.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { AuditRow } from './audit-row.tsx'
import { ChainLine } from './chain-line.tsx'
import { toAuditQuery, type AuditSearch } from './search.ts'

/** Renders the audit log, as far back as it is kept. */
export function AuditScreen() {
  const { params, can, id, name } = useOrganization()
  const mayRead = can('admin')
  const { check, ...filter } = useSearch({ from: '/$org/audit' })
  const navigate = useNavigate({ from: '/$org/audit' })
  const query = toAuditQuery(filter)
  const events = useList('GET /organizations/{org_id}/audit-events', { params, query })
  const environments = useList('GET /organizations/{org_id}/environments', { params }).data ?? []
  const integrations = useRead('GET /organizations/{org_id}/integrations', { params }).data
  const providers = Object.values(integrations ?? {}).flatMap(
    ({ provider, displayName, choices }) => [...choices, { provider, displayName }],
  )
  const names = { organization: { id, name }, environments, providers }
  const exported = useAuditExport(query)
  return (
    <Page title="Audit log" actions={mayRead && <AuditExportButtons {...exported} />}>
      {mayRead && (
        <>
          <FormProblem problem={exported.problem} />
          <AuditFilters
            filter={filter}
            onChange={(next) => void navigate({ search: { ...next, check }, replace: true })}
          />
        </>
      )}
      <Panel title="Events" flush>
        <Loaded query={events}>
          {(items) =>
            items.length === 0 ? (
              <NoEvents check={check} />
            ) : (
              <Table columns={['When', 'What happened', 'IP address']}>
                {items.map((event) => (
                  <AuditRow key={event.id} event={event} names={names} />
                ))}
              </Table>
            )
          }
        </Loaded>
        <MoreButton list={events} />
      </Panel>
      {mayRead && (
        <ChainLine
          isChecked={check === 'chain'}
          onCheck={() => void navigate({ search: { ...filter, check: 'chain' }, replace: true })}
        />
      )}
    </Page>
  )
}

function NoEvents({ check }: Pick<AuditSearch, 'check'>) {
  const { slug } = useOrganization()
  return (
    <EmptyState
      icon={ScrollText}
      title="Nothing matches"
      action={
        <Link to="/$org/audit" params={{ org: slug }} search={{ check }} className={buttonClass()}>
          Clear the filters
        </Link>
      }
    >
      No event matches all of the filters. Sign-ins, personal access tokens and apps at providers
      are in the log of the server: run signalbox-server audit there.
    </EmptyState>
  )
}
