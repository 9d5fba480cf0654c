import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Panel } from '../../components/panel.tsx'
import { Cell, Row } from '../../components/table.tsx'
import { useOrganization } from '../../session/organization.ts'
import { KeyFindings } from './key-findings.tsx'
import { LiveTarget } from './live-target.tsx'
import { pickRepositories } from './pick-repositories.ts'

type Overview = AnswerOf<'GET /organizations/{org_id}/overview'>
type Environment = Overview['environments'][number]
type Repository = Overview['repositories'][number]

type LiveGridProps = Pick<Overview, 'environments' | 'repositories' | 'hasMoreRepositories'>

/** Limits the rows at first, so that the rest of the page stays close. */
const shownAtFirst = 12

/** Shows what is live: a row for each repository, a column for each environment. On a narrow screen each row is a block. */
export function LiveGrid({ environments, repositories, hasMoreRepositories }: LiveGridProps) {
  const { repositories: choice, ...others } = useSearch({ from: '/$org/' })
  const navigate = useNavigate({ from: '/$org/' })
  const isOpen = choice === 'all'
  const switchRows = () =>
    void navigate({
      search: isOpen ? others : { ...others, repositories: 'all' },
      replace: true,
      resetScroll: false,
    })
  const rows = isOpen ? repositories : pickRepositories(repositories, shownAtFirst)
  // Below this width the grid scrolls sideways, as with many environments.
  const width: CSSProperties = { minWidth: `${12 + environments.length * 9}rem` }
  return (
    <Panel title="What is live" flush>
      <div className="max-lg:contents" style={width}>
        <table
          role="table"
          className="table table-fixed max-lg:block [&>tbody>tr:last-child>th]:border-b-0"
        >
          <caption className="sr-only">What is live, by repository and environment</caption>
          {/* Where this is hidden, each cell shows the name of its environment, and no hidden link takes the focus. */}
          <thead role="rowgroup" className="max-lg:hidden">
            <Row>
              <th role="columnheader" scope="col" className="w-44">
                Repository
              </th>
              {environments.map((environment) => (
                <EnvironmentColumn
                  key={environment.id}
                  environment={environment}
                  environments={environments}
                />
              ))}
            </Row>
          </thead>
          <tbody role="rowgroup" className="max-lg:block">
            {rows.map((repository) => (
              <RepositoryRow
                key={repository.repository}
                repository={repository}
                environments={environments}
              />
            ))}
          </tbody>
        </table>
      </div>
      {repositories.length > shownAtFirst && (
        <div className="sticky left-0 flex justify-center border-t border-line p-2">
          <Button variant="quiet" aria-expanded={isOpen} onClick={switchRows}>
            {isOpen ? 'Show fewer' : `Show all ${repositories.length} repositories`}
          </Button>
        </div>
      )}
      {isOpen && hasMoreRepositories && <LeftOut count={repositories.length} />}
    </Panel>
  )
}

function LeftOut({ count }: { readonly count: number }) {
  return (
    <p className="px-4 pb-3 text-sm text-muted">
      Only the first {count} repositories by name are shown. Deployments lists those of every
      repository.
    </p>
  )
}

interface EnvironmentColumnProps {
  readonly environment: Environment
  readonly environments: readonly Environment[]
}

function EnvironmentColumn({ environment, environments }: EnvironmentColumnProps) {
  const { slug } = useOrganization()
  const { id, name, production } = environment
  return (
    <th role="columnheader" scope="col">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          to="/$org/deployments"
          params={{ org: slug }}
          search={{ environment: id }}
          className="max-w-full truncate font-semibold text-text"
          title={name}
        >
          {name}
        </Link>
        {production && name.toLowerCase() !== 'production' && <Badge>production</Badge>}
        <KeyFindings environment={environment} environments={environments} />
      </span>
    </th>
  )
}

interface RepositoryRowProps {
  readonly repository: Repository
  readonly environments: readonly Environment[]
}

function RepositoryRow({ repository: { repository, targets }, environments }: RepositoryRowProps) {
  const { slug } = useOrganization()
  return (
    <Row className="max-lg:block max-lg:border-b max-lg:border-line max-lg:px-4 max-lg:py-3 max-lg:last:border-b-0 max-lg:[&>*]:border-0 max-lg:[&>*]:p-0">
      <th
        role="rowheader"
        scope="row"
        className="sticky left-0 z-1 bg-panel align-top whitespace-normal! max-lg:static max-lg:block max-lg:pb-1!"
      >
        <Link
          to="/$org/deployments"
          params={{ org: slug }}
          search={{ repository }}
          className="line-clamp-2 font-semibold wrap-anywhere text-text"
          title={repository}
        >
          <bdi>{repository}</bdi>
        </Link>
      </th>
      {environments.map(({ id, name }) => {
        const target = targets.find(({ environmentId }) => environmentId === id)
        return (
          <Cell
            key={id}
            className={`align-top max-lg:gap-x-3 max-lg:py-1! ${target === undefined ? 'max-lg:hidden' : 'max-lg:flex'}`}
          >
            <span aria-hidden className="w-28 shrink-0 truncate text-muted lg:hidden" title={name}>
              {name}
            </span>
            {target === undefined ? (
              <span className="text-muted">
                <span aria-hidden>–</span>
                <span className="sr-only">Nothing deployed</span>
              </span>
            ) : (
              <LiveTarget target={target} repository={repository} environment={name} />
            )}
          </Cell>
        )
      })}
    </Row>
  )
}
