import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { GitPullRequest } from 'lucide-react'
import type { ReactNode } from 'react'
import { useList } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { DocsLink } from '../../components/docs-link.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { Segments } from '../../components/tabs.tsx'
import { Age } from '../../components/time.tsx'
import { PageLink } from '../../session/page-link.tsx'
import { useOrganization } from '../../session/organization.ts'
import { describeApprovals, describeVia } from './describe-request.ts'
import { requestStates } from '@signalbox/contract'
import type { RequestsSearch } from './search.ts'
import { StateBadge } from './state-badge.tsx'
import { stateStyles, type RequestSummary } from './states.ts'

const views = [
  { value: 'reviews', label: 'To review' },
  { value: 'mine', label: 'Mine' },
  { value: 'all', label: 'All' },
] as const

/** Lists the changes that wait for people, and what has become of earlier ones. */
export function RequestsScreen() {
  const { view, state } = useSearch({ from: '/$org/requests' })
  const navigate = useNavigate({ from: '/$org/requests' })
  const open = (search: RequestsSearch) => void navigate({ search, replace: true })
  const mine = view === undefined ? 'reviews' : view === 'mine' ? 'author' : undefined
  const requests = useList('GET /organizations/{org_id}/change-requests', {
    query: { ...(mine && { mine }), ...(state && { state }) },
  })
  return (
    <Page title="Requests">
      <div className="flex flex-wrap items-center gap-2">
        <Segments
          label="Which requests"
          options={views}
          value={view ?? 'reviews'}
          onChange={(next) => open(next === 'reviews' ? {} : { view: next, state })}
        />
        {view !== undefined && (
          <StateFilter value={state} onPick={(next) => open({ view, state: next })} />
        )}
      </div>
      <Loaded query={requests}>
        {(items) =>
          items.length === 0 ? (
            <NoRequests view={view} state={state} onClear={() => open({ view })} />
          ) : (
            <div className="min-w-0 overflow-x-auto rounded-lg border border-line bg-panel">
              <RequestTable requests={items} />
              <MoreButton list={requests} />
            </div>
          )
        }
      </Loaded>
    </Page>
  )
}

interface StateFilterProps {
  readonly value: RequestsSearch['state']
  readonly onPick: (state: RequestsSearch['state']) => void
}

function StateFilter({ value, onPick }: StateFilterProps) {
  return (
    <select
      aria-label="State"
      className="control w-auto"
      value={value ?? ''}
      onChange={({ target }) =>
        onPick((['waiting', ...requestStates] as const).find((state) => state === target.value))
      }
    >
      <option value="">Any state</option>
      <option value="waiting">Not over yet</option>
      {requestStates.map((state) => (
        <option key={state} value={state}>
          {`${stateStyles[state].word.charAt(0).toUpperCase()}${stateStyles[state].word.slice(1)}`}
        </option>
      ))}
    </select>
  )
}

interface NoRequestsProps extends RequestsSearch {
  readonly onClear: () => void
}

/** Says why the list is empty, and what fills it. */
function NoRequests({ view, state, onClear }: NoRequestsProps) {
  if (state !== undefined) {
    return (
      <Empty title="No matching requests" action={<Button onClick={onClear}>Any state</Button>}>
        No request is in this state.
      </Empty>
    )
  }
  const title =
    view === undefined
      ? 'Nobody waits for you'
      : view === 'mine'
        ? 'You have asked for nothing yet'
        : 'No requests yet'
  return (
    <Empty title={title} action={<ToEnvironments />}>
      A request is a change that waits until other people approve it. Requests appear here when an
      environment needs approvals: Environments → Edit → Approvals.
      <p className="mt-2">
        <DocsLink page="change-requests">About change requests</DocsLink>
      </p>
    </Empty>
  )
}

function ToEnvironments() {
  return <PageLink to={{ page: 'environments' }}>Open the environments</PageLink>
}

interface EmptyProps {
  readonly title: string
  readonly action: ReactNode
  readonly children: ReactNode
}

function Empty(props: EmptyProps) {
  return <EmptyState icon={GitPullRequest} {...props} />
}

function RequestTable({ requests }: { readonly requests: readonly RequestSummary[] }) {
  return (
    <Table columns={[{ title: 'Request', className: 'w-2/5' }, 'State', 'Environments', 'Asked']}>
      {requests.map((request) => (
        <RequestRow key={request.id} request={request} />
      ))}
    </Table>
  )
}

function RequestRow({ request }: { readonly request: RequestSummary }) {
  const { slug } = useOrganization()
  const { number, title, state, environments, author, createdAt } = request
  const via = describeVia(author.via)
  return (
    <Row>
      <Cell className="wrap-anywhere">
        <span className="text-muted">{number}</span>{' '}
        <Link
          to="/$org/requests/$requestId"
          params={{ org: slug, requestId: String(number) }}
          className="font-medium"
        >
          <bdi>{title}</bdi>
        </Link>
      </Cell>
      <Cell>
        <StateBadge state={state} />
      </Cell>
      <Cell>
        <Approvals environments={environments} />
      </Cell>
      <Cell className="wrap-anywhere">
        <Age at={createdAt} />{' '}
        <span className="text-muted">
          by <bdi>{author.name}</bdi>
          {via !== undefined && `, ${via}`}
        </span>
      </Cell>
    </Row>
  )
}

/** Lists the environments of a request, each with its approvals. */
function Approvals({ environments }: Pick<RequestSummary, 'environments'>) {
  return (
    <ul className="flex flex-col">
      {environments.map(({ environmentId, name, approvals }) => (
        <li key={environmentId} className="wrap-anywhere">
          <bdi>{name}</bdi> <span className="text-muted">{describeApprovals(approvals)}</span>
        </li>
      ))}
    </ul>
  )
}
