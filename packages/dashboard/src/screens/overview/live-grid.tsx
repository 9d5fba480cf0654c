import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Panel } from '../../components/panel.tsx'
import { Cell, Row } from '../../components/table.tsx'
import { useOrganization } from '../../session/organization.ts'
import { Sha } from '../../components/code.tsx'
import { Age } from '../../components/time.tsx'
import { DeploymentBadge, TestsBadge } from '../deployments/badges.tsx'
import { deploymentVariants } from '../deployments/states.ts'
import { KeyFindings } from './key-findings.tsx'
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

type Target =
  AnswerOf<'GET /organizations/{org_id}/overview'>['repositories'][number]['targets'][number]

interface LiveTargetProps {
  readonly target: Target
  readonly repository: string
  /** Names the environment for screen readers on a narrow screen. */
  readonly environment: string
}

const colors = {
  neutral: 'text-muted',
  ok: 'text-ok',
  bad: 'text-bad',
  warn: 'text-warn',
  info: 'text-info',
} as const

/** Shows what is live of a repository in an environment; or the newest deployment, where none is live. */
function LiveTarget({ target, repository, environment }: LiveTargetProps) {
  const { slug } = useOrganization()
  const { latest, live, liveCount, tests, environmentId } = target
  const { id, state, sha, title, creator, at } = live ?? latest
  const { icon: Icon, word, tone } = deploymentVariants[state]
  const name = title ?? `Commit ${sha.slice(0, 7)}`
  const author = creator === null ? null : (creator.login ?? creator.name)
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-0.5">
      <Link
        to="/$org/deployments/$deploymentId"
        params={{ org: slug, deploymentId: id }}
        className="group flex min-w-0 flex-col text-text hover:no-underline"
        title={`${word} · ${name}`}
      >
        <span className="sr-only">{environment}: </span>
        <span className="flex min-w-0 items-center gap-1.5 font-medium">
          <Icon aria-label={word} role="img" size={14} className={`shrink-0 ${colors[tone]}`} />
          <bdi className="truncate group-hover:underline">{name}</bdi>
        </span>
        <span className="flex min-w-0 items-baseline gap-x-2 text-sm text-muted">
          <Sha sha={sha} /> <Age at={at} />
          {author !== null && <bdi className="truncate">{author}</bdi>}
        </span>
      </Link>
      {tests !== null && <TestsBadge tests={tests} compact />}
      {live !== null && isNewer(target) && (
        <Link
          to="/$org/deployments/$deploymentId"
          params={{ org: slug, deploymentId: latest.id }}
          className="inline-flex min-h-7 max-w-full flex-wrap items-center gap-x-1.5 self-start"
        >
          <DeploymentBadge state={latest.state} />
          <Sha sha={latest.sha} />
        </Link>
      )}
      {liveCount > 1 && (
        <Link
          to="/$org/deployments"
          params={{ org: slug }}
          search={{ repository, environment: environmentId, state: 'success' }}
          className="self-start text-sm"
        >
          and {liveCount > 99 ? '99 or more' : liveCount - 1} more live
        </Link>
      )}
    </div>
  )
}

/** Returns whether something newer than the live deployment is under way, or failed. */
function isNewer({ latest, live }: Target): boolean {
  return latest.id !== live?.id && !['success', 'superseded', 'rolled_back'].includes(latest.state)
}
