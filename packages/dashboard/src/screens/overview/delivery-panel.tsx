import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRead } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { DocsLink } from '../../components/docs-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { Loaded } from '../../components/states.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { useOrganization } from '../../session/organization.ts'
import { useKeptDays } from '../../session/session.ts'
import {
  describeFigure,
  figureMeanings,
  toFigurePeriod,
  withoutPrevious,
  type ComparedFigures,
  type DeliveryFigures,
  type FigureMeaning,
} from './figures.ts'
import { useTrendFilter } from './trend-filter.tsx'
import { usePeriod } from './use-period.ts'
import { useId } from 'react'

/** Limits the rows at first, so that the charts stay close. */
const shownAtFirst = 8

/** Shows how often is deployed, how fast and how safely, of the chosen days and deployments. */
export function DeliveryPanel() {
  const days = usePeriod()
  const keptDays = useKeptDays() ?? Infinity
  const { environment, repository } = useTrendFilter()
  const { firstDay, query } = toFigurePeriod(days, new Date())
  const figures = useRead('GET /organizations/{org_id}/delivery-figures', {
    query: {
      ...query,
      ...(environment !== undefined && { environmentId: environment }),
      ...(repository !== undefined && { repository }),
    },
  })
  return (
    <Panel
      title="Delivery"
      actions={<DocsLink page="dashboard#delivery-figures">How these are counted</DocsLink>}
    >
      <Loaded query={figures}>
        {(read) => {
          // The figures of a period with deleted deployments would be wrong.
          const data = keptDays < 2 * days ? withoutPrevious(read) : read
          return (
            <div className="flex flex-col gap-4">
              <Totals figures={data.total} target={{ environment, repository, from: firstDay }} />
              {data.items.length > 1 && <TargetTable data={data} from={firstDay} />}
            </div>
          )
        }}
      </Loaded>
    </Panel>
  )
}

/** Selects the deployments of some figures, as an address. */
interface Target {
  readonly environment: string | undefined
  readonly repository: string | undefined
  /** Holds the first day. */
  readonly from: string
}

interface TotalsProps {
  readonly figures: ComparedFigures
  readonly target: Target
}

function Totals({ figures, target }: TotalsProps) {
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 lg:grid-cols-4">
      {figureMeanings.map((meaning, at) => {
        const { value, more, basis, former } = describeFigure(meaning.name, figures)
        return (
          <div key={meaning.name} className="min-w-0">
            <dt>
              <Explained
                term={meaning.title}
                definition={meaning.definition}
                side={at % 2 === 0 ? 'left' : 'right'}
              />
            </dt>
            <dd className="flex flex-wrap items-baseline gap-x-2">
              <span className="text-xl font-semibold tabular-nums">{value}</span>
              {more !== '' && <span className="text-sm text-muted">{more}</span>}
            </dd>
            <dd className="text-sm">
              <FigureLink meaning={meaning} target={target}>
                {basis}
              </FigureLink>
            </dd>
            {former !== undefined && <dd className="text-sm text-muted">previously {former}</dd>}
          </div>
        )
      })}
    </dl>
  )
}

interface FigureLinkProps {
  readonly meaning: FigureMeaning
  readonly target: Target
  readonly children: string
}

/** Links to the deployments that a figure is made of. */
function FigureLink({ meaning: { outcome }, target, children }: FigureLinkProps) {
  const { slug } = useOrganization()
  return (
    <Link
      to="/$org/deployments"
      params={{ org: slug }}
      search={{ ...target, outcome, inactive: true }}
      className="inline-flex min-h-7 items-center tabular-nums"
    >
      {children}
    </Link>
  )
}

interface TargetTableProps {
  readonly data: DeliveryFigures
  readonly from: string
}

function TargetTable({ data: { items, hasMore }, from }: TargetTableProps) {
  const overview = useRead('GET /organizations/{org_id}/overview')
  const { figures: choice, ...others } = useSearch({ from: '/$org/' })
  const navigate = useNavigate({ from: '/$org/' })
  const isOpen = choice === 'all'
  const switchRows = () =>
    void navigate({
      search: isOpen ? others : { ...others, figures: 'all' },
      replace: true,
      resetScroll: false,
    })
  const nameOf = (id: string) =>
    overview.data?.environments.find((environment) => environment.id === id)?.name ?? id
  return (
    <div className="-mx-4 -mb-4 flex flex-col border-t border-line">
      <div
        className="overflow-x-auto"
        role="region"
        aria-label="By repository and environment"
        tabIndex={0}
      >
        <Table
          columns={[
            'Repository and environment',
            ...figureMeanings.map(({ shortTitle }) => shortTitle),
          ]}
        >
          {items.slice(0, isOpen ? undefined : shownAtFirst).map((item) => (
            <TargetRow
              key={`${item.repository} ${item.environmentId}`}
              item={item}
              environment={nameOf(item.environmentId)}
              from={from}
            />
          ))}
        </Table>
      </div>
      {items.length > shownAtFirst && (
        <div className="flex justify-center border-t border-line p-2">
          <Button variant="quiet" aria-expanded={isOpen} onClick={switchRows}>
            {isOpen ? 'Show fewer' : `Show all ${items.length}`}
          </Button>
        </div>
      )}
      {isOpen && hasMore && (
        <p className="px-4 pb-3 text-sm text-muted">
          Only the first {items.length} by name are shown. The figures above count all of them.
        </p>
      )}
    </div>
  )
}

interface TargetRowProps {
  readonly item: DeliveryFigures['items'][number]
  /** Holds the name of its environment. */
  readonly environment: string
  readonly from: string
}

function TargetRow({ item, environment, from }: TargetRowProps) {
  const { repository, environmentId } = item
  return (
    <Row>
      <Cell className="min-w-0">
        <bdi>{repository}</bdi> <span className="text-muted">in</span> <bdi>{environment}</bdi>
      </Cell>
      {figureMeanings.map((meaning) => (
        <Cell key={meaning.name}>
          <TargetFigure
            meaning={meaning}
            figures={item}
            target={{ environment: environmentId, repository, from }}
          />
        </Cell>
      ))}
    </Row>
  )
}

interface TargetFigureProps extends TotalsProps {
  readonly meaning: FigureMeaning
}

function TargetFigure({ meaning, figures, target }: TargetFigureProps) {
  const { value, basis, former } = describeFigure(meaning.name, figures)
  return (
    <span className="flex flex-wrap items-baseline gap-x-2" title={basis}>
      <FigureLink meaning={meaning} target={target}>
        {value}
      </FigureLink>
      {former !== undefined && <span className="text-sm text-muted">previously {former}</span>}
    </span>
  )
}

interface ExplainedProps {
  readonly term: string
  readonly definition: string
  /** Names the side from which the definition grows, so that it stays on the screen. */
  readonly side: 'left' | 'right'
}

/** Renders a term whose definition appears under the pointer and with the focus. Escape hides it. */
function Explained({ term, definition, side }: ExplainedProps) {
  const id = useId()
  return (
    <span className="group relative inline-block">
      <button
        type="button"
        aria-describedby={id}
        className="min-h-7 cursor-help text-left text-sm text-muted underline decoration-dotted underline-offset-4"
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Escape') currentTarget.blur()
        }}
      >
        {term}
      </button>
      <span
        role="tooltip"
        id={id}
        className={`absolute top-full z-10 hidden w-64 rounded-md border border-line bg-panel px-3 py-2 text-sm text-text shadow-lg group-focus-within:block group-hover:block ${
          side === 'left' ? 'left-0' : 'right-0'
        }`}
      >
        {definition}
      </span>
    </span>
  )
}
