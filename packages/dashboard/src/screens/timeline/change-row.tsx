import type { Change } from '@signalbox/contract/rest'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { DeploymentBadge, StateBadge } from '../deployments/badges.tsx'
import { deploymentStates } from '@signalbox/contract'
import { toTestVariant } from '../deployments/test-counts.ts'
import { Badge } from '../../components/badge.tsx'
import { Sha } from '../../components/code.tsx'
import { ClockTime } from '../../components/time.tsx'
import { PageLink } from '../../session/page-link.tsx'
import { useOrganization } from '../../session/organization.ts'
import { ProofOfChange } from '../proofs/proof-link.tsx'
import { describeRequest, kindVariants } from './describe-change.ts'
import { KeyButton, KeyChanges, UndoKey, useMayUndo } from './key-changes.tsx'

const classes = 'inline-flex min-h-7 items-center'

/**
 * Offers to undo a change of one key or to restore the version before a change, with the permission, or links to the
 * deployment before one.
 */
function WayBack({ change }: { readonly change: Change }) {
  const { wayBack, configuration } = change
  const { slug } = useOrganization()
  const mayUndo = useMayUndo(change)
  if (wayBack === null) return null
  if (wayBack.kind === 'redeploy') {
    const params = { org: slug, deploymentId: wayBack.deploymentId }
    return (
      <Link to="/$org/deployments/$deploymentId" params={params} className={classes}>
        Previous: {wayBack.sha.slice(0, 7)}
      </Link>
    )
  }
  if (configuration === null || !mayUndo) return null
  const { schemaId, changes, total } = configuration
  const [only] = changes
  const search = {
    schema: schemaId,
    chosen: [wayBack.versionId],
    panel: 'restore',
  } as const
  return (
    <span className="flex flex-wrap gap-x-3">
      {total === 1 && only !== undefined && <UndoKey version={change} name={only.key} />}
      <Link to="/$org/history" params={{ org: slug }} search={search} className={classes}>
        Restore version {wayBack.version}…
      </Link>
    </span>
  )
}

interface ChangeRowProps {
  readonly change: Change
  readonly environments: readonly string[]
  /** Says whether the reader came from this change. */
  readonly isMarked: boolean
  readonly onPerson: (name: string) => void
  readonly onKey: (key: string) => void
}

/** Shows one change: its time, kind, environment, author and reason, its proof, and the way to undo it. */
export function ChangeRow(props: ChangeRowProps) {
  const { change, environments, isMarked, onPerson, onKey } = props
  const { word, icon: Icon } = kindVariants[change.kind]
  return (
    <li
      aria-current={isMarked ? 'true' : undefined}
      className={`flex flex-wrap items-start gap-x-4 gap-y-1 px-4 py-2.5 ${isMarked ? 'bg-info-ground' : ''}`}
    >
      <span className="w-24 shrink-0 pt-px text-sm text-muted tabular-nums">
        <ClockTime at={change.at} />
      </span>
      <Icon role="img" aria-label={word} size={16} className="mt-0.5 shrink-0 text-muted" />
      <div className="flex min-w-0 flex-1 basis-60 flex-col max-sm:basis-full gap-1">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <ChangeLink change={change} />
          {environments.map((name) => (
            <Badge key={name} isName>
              {name}
            </Badge>
          ))}
          <Outcome change={change} />
          {isMarked && <Badge tone="info">You came from here</Badge>}
        </div>
        {change.configuration !== null && !isInTitle(change) && (
          <KeyChanges version={change} onKey={onKey} />
        )}
        <Facts change={change} onPerson={onPerson} onKey={onKey} />
      </div>
      <div className="text-sm">
        <WayBack change={change} />
      </div>
    </li>
  )
}

/** Returns whether the title says the change already: `newCheckout: off → on for 10%`. That of a segment is said below it. */
function isInTitle({ kind, configuration }: Change): boolean {
  const hasSegment = configuration?.changes.some(({ segments }) => segments !== undefined)
  return kind === 'flag_flip' && configuration?.total === 1 && hasSegment !== true
}

/** Renders the title, which links to the details. */
function ChangeLink({
  change: { id, title, deployment, configuration, request },
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
  if (configuration === null && request !== null) {
    return (
      <PageLink to={pageOf(request)} className={classes}>
        <bdi>{title}</bdi>
      </PageLink>
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

function pageOf({ number }: NonNullable<Change['request']>) {
  return { page: 'request', params: { requestId: String(number) } } as const
}

/** Shows the result, how a watched version stands, the newest test run that proves it, and how many there were. */
function Outcome({
  change: { kind, state, proof, testRuns, configuration },
}: {
  readonly change: Change
}) {
  const watch = configuration?.proof ?? null
  const deployed =
    kind === 'deployment' ? deploymentStates.find((known) => known === state) : undefined
  return (
    <>
      {deployed !== undefined && <DeploymentBadge state={deployed} />}
      {proof !== null && (
        <StateBadge variant={toTestVariant({ ...proof, flaky: null, contaminated: false })} />
      )}
      {configuration !== null && watch !== null && (
        <ProofOfChange proof={watch} schemaId={configuration.schemaId} />
      )}
      {testRuns !== null && testRuns > 1 && (
        <span className="text-sm text-muted">{testRuns} test runs</span>
      )}
    </>
  )
}

interface FactsProps {
  readonly change: Change
  readonly onPerson: (name: string) => void
  readonly onKey: (key: string) => void
}

/** Shows the key of the title and the author, who both filter the list, the reason, and the commit or the version. */
function Facts({ change, onPerson, onKey }: FactsProps) {
  const { author, reason, deployment, configuration, request } = change
  const [only] = isInTitle(change) ? (configuration?.changes ?? []) : []
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      {only !== undefined && <KeyButton name={only.key} onKey={onKey} />}
      {author !== null && (
        <button
          type="button"
          title={`Show only changes by ${author.name}`}
          className="min-h-7 min-w-7 text-left break-words hover:text-text hover:underline"
          onClick={() => onPerson(author.name)}
        >
          <bdi>{author.name}</bdi>
        </button>
      )}
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
      {request !== null && (
        <PageLink to={pageOf(request)} className={classes}>
          <bdi>{describeRequest(request)}</bdi>
        </PageLink>
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
