import { nameOfRef } from '@signalbox/contract'
import { Link } from '@tanstack/react-router'
import type { AnswerOf } from '../../api/routes.ts'
import { DeploymentBadge, TestsBadge } from '../deployments/badges.tsx'
import { Badge } from '../../components/badge.tsx'
import { Sha } from '../../components/code.tsx'
import { Age } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'
import { KeyFindings } from './key-findings.tsx'

type Environment = AnswerOf<'GET /organizations/{org_id}/overview'>['environments'][number]

interface EnvironmentCardProps {
  readonly environment: Environment
  readonly environments: readonly Environment[]
}

/** Shows the latest deployment of an environment, and its problems. */
export function EnvironmentCard({ environment, environments }: EnvironmentCardProps) {
  const { slug } = useOrganization()
  const { id, name, production, live } = environment
  const latest = pickShown(environment)
  return (
    <article className="flex h-full flex-col gap-1.5 rounded-lg border border-line bg-panel px-4 py-3">
      <header className="flex items-center justify-between gap-2">
        <h2 className="flex min-w-0 items-center gap-2 font-semibold">
          <Link
            to="/$org/deployments"
            params={{ org: slug }}
            search={{ environment: id }}
            className="truncate text-text"
            title={name}
          >
            {name}
          </Link>
          {production && name.toLowerCase() !== 'production' && <Badge>production</Badge>}
        </h2>
        {latest !== null && <DeploymentBadge state={latest.state} />}
      </header>
      {latest === null ? (
        <p className="text-muted">Nothing deployed yet.</p>
      ) : (
        <LatestDeployment deployment={latest} />
      )}
      {live !== null && live.id !== latest?.id && <RunningStill live={live} />}
      <Findings environment={environment} environments={environments} />
    </article>
  )
}

/** Returns the newest deployment, unless the live one has superseded it. */
function pickShown({ latest, live }: Environment): Environment['latest'] {
  return latest?.state === 'superseded' ? (live ?? latest) : latest
}

function LatestDeployment({
  deployment,
}: {
  readonly deployment: NonNullable<Environment['latest']>
}) {
  const { slug } = useOrganization()
  const { id, sha, ref, title, repository } = deployment
  return (
    <>
      <p className="flex min-w-0 items-baseline gap-2 text-sm">
        <Sha sha={sha} />
        {ref !== sha && (
          <bdi className="min-w-0 truncate font-mono text-muted" title={ref}>
            {nameOfRef(ref)}
          </bdi>
        )}
        <bdi className="min-w-0 truncate text-muted" title={repository}>
          {repository}
        </bdi>
      </p>
      <Link
        to="/$org/deployments/$deploymentId"
        params={{ org: slug, deploymentId: id }}
        className="line-clamp-2 break-words text-text"
        title={title ?? undefined}
      >
        <bdi>{title ?? 'No commit message'}</bdi>
      </Link>
    </>
  )
}

/** Shows the deployment that is still live while the newest one is not. */
function RunningStill({ live }: { readonly live: NonNullable<Environment['live']> }) {
  const { slug } = useOrganization()
  return (
    <p className="text-sm text-muted">
      Live:{' '}
      <Link
        to="/$org/deployments/$deploymentId"
        params={{ org: slug, deploymentId: live.id }}
        className="inline-block min-h-7"
      >
        <Sha sha={live.sha} />
      </Link>
      , <Age at={live.at} />
    </p>
  )
}

function Findings({ environment, environments }: EnvironmentCardProps) {
  const { tests } = environment
  const latest = pickShown(environment)
  return (
    <footer className="mt-auto flex flex-wrap items-center gap-1.5 pt-1">
      {tests !== null && <TestsBadge tests={tests} />}
      <KeyFindings environment={environment} environments={environments} />
      {latest !== null && (
        <span className="ml-auto text-sm text-muted">
          <Age at={latest.at} />
        </span>
      )}
    </footer>
  )
}
