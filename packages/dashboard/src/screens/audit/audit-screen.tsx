import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useList, useRead } from '../../api/use-api.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { EmptyState, FormProblem, Loaded } from '../../components/states.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { useOrganization } from '../../session/organization.ts'
import { toExactTime } from '../../components/time.tsx'
import { callFile } from '../../api/call.ts'
import { toApiProblem, type ApiProblem } from '../../api/problem.ts'
import type { RequestOf } from '../../api/routes.ts'
import { saveFile } from '../../browser/save-file.ts'
import { WithToken } from '../made-by.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { ChainLine } from './chain-line.tsx'
import { describeDetail } from './describe-detail.ts'
import { toAuditQuery, type AuditSearch } from './search.ts'
import { describeEvent, type AuditEvent, type EventNames } from './describe-event.ts'

/** Renders the audit log, as far back as it is kept. */
export function AuditScreen() {
  const { can, id, name } = useOrganization()
  const mayRead = can('admin')
  const { check, ...filter } = useSearch({ from: '/$org/audit' })
  const navigate = useNavigate({ from: '/$org/audit' })
  const query = toAuditQuery(filter)
  const events = useList('GET /organizations/{org_id}/audit-events', { query })
  const environments = useList('GET /organizations/{org_id}/environments').data ?? []
  const integrations = useRead('GET /organizations/{org_id}/integrations').data
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

/** Shows one event of the audit log as a sentence. */
function AuditRow({ event, names }: Readonly<{ event: AuditEvent; names: EventNames }>) {
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
              <dd className="font-mono break-all">{describeDetail(value)}</dd>
            </div>
          ))}
      </dl>
    </details>
  )
}

const route = 'GET /organizations/{org_id}/audit-events/export'
const formats = [
  { format: 'csv', label: 'Export CSV' },
  { format: 'jsonl', label: 'Export JSON Lines' },
] as const

type Format = (typeof formats)[number]['format']

/** Describes an export that can be started, and its progress. */
interface AuditExport {
  /** Names the format that is being exported. */
  readonly pending: Format | undefined
  readonly problem: ApiProblem | null
  readonly start: (format: Format) => void
}

/** Exports the events of a query to a file. Leaving the screen cancels it. */
function useAuditExport(query: RequestOf<typeof route>['query']): AuditExport {
  const { params } = useOrganization()
  const [pending, setPending] = useState<Format>()
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])
  const fetchAndSave = async (format: Format) => {
    const { signal } = leaving.current
    setPending(format)
    setProblem(null)
    try {
      const { name, content } = await callFile(
        route,
        { params, query: { ...query, format } },
        signal,
      )
      if (!signal.aborted) saveFile(name, content)
    } catch (error) {
      if (!signal.aborted) setProblem(toApiProblem(error))
    } finally {
      if (!signal.aborted) setPending(undefined)
    }
  }
  return { pending, problem, start: (format) => void fetchAndSave(format) }
}

/** Shows one button for each format of an export. */
function AuditExportButtons({ pending, start }: AuditExport) {
  return formats.map(({ format, label }) => (
    <Button
      key={format}
      pending={pending === format}
      disabled={pending !== undefined && pending !== format}
      onClick={() => start(format)}
    >
      {label}
    </Button>
  ))
}
