import { Link } from '@tanstack/react-router'
import type { AnswerOf } from '../../api/routes.ts'
import { Sha } from '../../components/code.tsx'
import { Age } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'
import { DeploymentBadge, TestsBadge } from '../deployments/badges.tsx'
import { deploymentVariants } from '../deployments/states.ts'

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
export function LiveTarget({ target, repository, environment }: LiveTargetProps) {
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
