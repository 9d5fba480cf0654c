import type { Change } from '@signalbox/contract/rest'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { DeploymentBadge, StateBadge } from '../deployments/badges.tsx'
import { deploymentStates } from '@signalbox/contract'
import { toTestVariant } from '../deployments/test-counts.ts'
import { Badge } from '../../components/badge.tsx'
import { Sha } from '../../components/code.tsx'
import { Age } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'
import { kindVariants, describeKeys } from './describe-change.ts'
import { WayBack } from './way-back.tsx'

interface ChangeRowProps {
  readonly change: Change
  readonly environment: string
}

/** Shows one change: its kind, environment, time, author and reason, its proof, and the way to undo it. */
export function ChangeRow({ change, environment }: ChangeRowProps) {
  const { word, icon: Icon } = kindVariants[change.kind]
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-1 px-4 py-3">
      <Icon role="img" aria-label={word} size={16} className="mt-0.5 shrink-0 text-muted" />
      <div className="flex min-w-0 flex-1 basis-60 flex-col gap-1">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <ChangeLink change={change} />
          <Badge isName>{environment}</Badge>
          <Outcome change={change} />
        </div>
        <Facts change={change} />
      </div>
      <div className="flex items-center gap-3 text-sm text-muted max-sm:ml-8">
        <WayBack change={change} />
        <Age at={change.at} />
      </div>
    </li>
  )
}

/** Renders the title, which links to the details. */
function ChangeLink({
  change: { id, title, deployment, configuration },
}: {
  readonly change: Change
}) {
  const { slug } = useOrganization()
  const classes = 'min-w-0 font-medium break-words text-text'
  if (deployment !== null) {
    const params = { org: slug, deploymentId: deployment.id }
    return (
      <Link to="/$org/deployments/$deploymentId" params={params} className={classes}>
        <bdi>{title}</bdi>
      </Link>
    )
  }
  if (configuration === null) return <bdi className={classes}>{title}</bdi>
  const search = { schema: configuration.schemaId, version: id }
  return (
    <Link to="/$org/history" params={{ org: slug }} search={search} className={classes}>
      <bdi>{title}</bdi>
    </Link>
  )
}

/** Shows the result, and the test run that proves it. */
function Outcome({ change: { kind, state, proof } }: { readonly change: Change }) {
  const deployed =
    kind === 'deployment' ? deploymentStates.find((known) => known === state) : undefined
  return (
    <>
      {deployed !== undefined && <DeploymentBadge state={deployed} />}
      {proof !== null && (
        <StateBadge variant={toTestVariant({ ...proof, flaky: null, contaminated: false })} />
      )}
    </>
  )
}

/** Shows the author, the reason, and the commit or the keys. */
function Facts({ change }: { readonly change: Change }) {
  const { author, reason, deployment, configuration } = change
  const keys = describeKeys(change)
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      {author !== null && <bdi className="min-w-0 break-words">{author.name}</bdi>}
      {deployment !== null && (
        <>
          <Sha sha={deployment.sha} />
          <bdi className="min-w-0 wrap-anywhere">{deployment.repository}</bdi>
        </>
      )}
      {configuration !== null && (
        <ChangeText>
          {configuration.schema} version {configuration.version}
        </ChangeText>
      )}
      {change.kind === 'config_version' && keys !== '' && (
        <span className="min-w-0 font-mono wrap-anywhere">{keys}</span>
      )}
      {reason.issueKeys.map((key) => (
        <Badge key={key} isName>
          {key}
        </Badge>
      ))}
      {reason.comment !== null && reason.comment !== '' && (
        <ChangeText>“{reason.comment}”</ChangeText>
      )}
    </div>
  )
}

function ChangeText({ children }: { readonly children: ReactNode }) {
  return <span className="min-w-0 break-words">{children}</span>
}
