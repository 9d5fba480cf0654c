import { isProtected } from '@signalbox/contract'
import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, ShieldCheck } from 'lucide-react'
import { useList, useRead } from '../../api/use-api.ts'
import { Badge } from '../../components/badge.tsx'
import { highlightNamed } from '../../components/highlight-named.ts'
import { RowMenu } from '../../components/row-menu.tsx'
import { everywhere, useOrganization, wholeEnvironment } from '../../session/organization.ts'
import type { AnswerOf } from '../../api/routes.ts'
import { Sha } from '../../components/code.tsx'
import { Age } from '../../components/time.tsx'
import type { Environment } from '../configs/environments.ts'
import { describeProtection } from '../configs/review/describe-protection.ts'
import type { ConfigSchema } from '../configs/schema-picker.tsx'
import { DeploymentBadge } from '../deployments/badges.tsx'
import { describeSpan } from '../proofs/describe-terms.ts'
import { ProofWithReadings } from '../proofs/proof-link.tsx'
import { useWatching } from '../proofs/use-proofs.ts'
import { useSignals } from '../proofs/use-signals.ts'
import { Frozen, FrozenBadge, useFreeze } from './frozen.tsx'

interface EnvironmentCardProps {
  readonly environment: Environment
  readonly parent: Environment | undefined
  /** Says whether the address names it. */
  readonly isNamed: boolean
  readonly onEdit: () => void
  readonly onFreeze: () => void
  readonly onDelete: () => void
}

/** Shows one environment: its parent, its protection, and its missing values. */
export function EnvironmentCard({
  environment,
  parent,
  isNamed,
  onEdit,
  onFreeze,
  onDelete,
}: EnvironmentCardProps) {
  const { can, may } = useOrganization()
  const { name, description, production } = environment
  const freeze = useFreeze(environment.id)
  return (
    <li
      className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-panel p-4"
      {...highlightNamed(isNamed)}
    >
      <div className="flex items-start gap-2">
        <h2 className="min-w-0 flex-1 font-semibold break-words">{name}</h2>
        {freeze !== undefined && <FrozenBadge />}
        {production && <Badge tone="info">production</Badge>}
        <RowMenu
          label={`Actions for ${name}`}
          items={[
            ...(may('manageEnvironments', wholeEnvironment(environment.id))
              ? [{ label: 'Edit', onSelect: onEdit }]
              : []),
            ...(can('admin')
              ? [
                  {
                    label: freeze === undefined ? 'Freeze' : 'Change the freeze',
                    onSelect: onFreeze,
                  },
                ]
              : []),
            ...(may('deleteConfig', everywhere)
              ? [{ label: 'Delete', danger: true, onSelect: onDelete }]
              : []),
          ]}
        />
      </div>
      {description !== '' && <p className="break-words text-muted">{description}</p>}
      {freeze !== undefined && <Frozen freeze={freeze} name={name} />}
      <EnvironmentFacts environment={environment} parent={parent} />
    </li>
  )
}

/** Lists where an environment inherits from, what it requires, and what is live and missing there. */
function EnvironmentFacts({
  environment,
  parent,
}: Pick<EnvironmentCardProps, 'environment' | 'parent'>) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
      <dt className="text-muted">Inherits from</dt>
      <dd className="truncate">{parent?.name ?? 'nothing'}</dd>
      <dt className="text-muted">Changes require</dt>
      <dd>
        <Protection environment={environment} />
      </dd>
      <Watched environment={environment} />
      <dt className="text-muted">What is live</dt>
      <dd>
        <LatestDeployments environmentId={environment.id} />
      </dd>
      <dt className="text-muted">Keys</dt>
      <dd>
        <Completeness environmentId={environment.id} />
      </dd>
    </dl>
  )
}

/** Shows what changes require, with a shield where the server refuses a change without it. */
function Protection({ environment }: { readonly environment: Environment }) {
  return (
    <span className="inline-flex items-center gap-1">
      {isProtected(environment.protection) && (
        <ShieldCheck aria-hidden size={14} className="shrink-0" />
      )}
      {describeProtection(environment)}
    </span>
  )
}

/** Says how changes are watched, and shows those that are unproven. Nothing where neither is so. */
function Watched({ environment: { id, protection } }: { readonly environment: Environment }) {
  const { nameOf } = useSignals()
  const proofs = useWatching().filter(({ subject }) => subject.environmentId === id)
  if (protection.prove === null && proofs.length === 0) return null
  return (
    <>
      <dt className="text-muted">Watched</dt>
      <dd>
        {protection.prove !== null && `every change, ${describeSpan(protection.prove, nameOf)}`}
        <ul className="flex flex-col">
          {proofs.map((proof) => (
            <li key={proof.id}>
              <ProofWithReadings proof={proof} />
            </li>
          ))}
        </ul>
      </dd>
    </>
  )
}

/** Lists the schemas whose required keys all have a value. */
function Completeness({ environmentId }: { readonly environmentId: string }) {
  const { data: schemas } = useList('GET /organizations/{org_id}/config-schemas', {
    query: { limit: 100 },
  })
  if (schemas === undefined) return '…'
  if (schemas.length === 0) return <span className="text-muted">no schema yet</span>
  return (
    <ul className="flex flex-col">
      {schemas.map((schema) => (
        <li key={schema.id}>
          <SchemaCompleteness schema={schema} environmentId={environmentId} />
        </li>
      ))}
    </ul>
  )
}

interface SchemaCompletenessProps {
  readonly schema: ConfigSchema
  readonly environmentId: string
}

function SchemaCompleteness({ schema, environmentId }: SchemaCompletenessProps) {
  const { slug } = useOrganization()
  const { data } = useRead('GET /organizations/{org_id}/config-schemas/{schema_id}/report', {
    params: { schema_id: schema.id },
  })
  const here = data?.report.find((one) => one.environmentId === environmentId)
  const errors = toErrors(here)
  if (data === undefined) return <span className="text-muted">{schema.name}: …</span>
  if (errors === '') {
    return (
      <span className="inline-flex max-w-full items-center gap-1 text-ok">
        <CircleCheck aria-hidden size={14} className="shrink-0" />
        <span className="min-w-0 break-words">{schema.name}: complete</span>
      </span>
    )
  }
  return (
    <Link
      to="/$org/config"
      params={{ org: slug }}
      search={
        here !== undefined && here.missing.length > 0
          ? { schema: schema.id, only: 'missing', environment: here.environment }
          : { schema: schema.id }
      }
      className="inline-flex min-h-7 max-w-full items-center gap-1 text-bad"
    >
      <CircleAlert aria-hidden size={14} className="shrink-0" />
      <span className="min-w-0 break-words">
        {schema.name}: {errors}
      </span>
    </Link>
  )
}

interface Errors {
  readonly missing: readonly string[]
  readonly invalid: readonly unknown[]
  readonly orphaned: readonly string[]
}

function toErrors(report: Errors | undefined): string {
  if (report === undefined) return ''
  return [
    report.missing.length > 0 && `${report.missing.length} missing`,
    report.invalid.length > 0 && `${report.invalid.length} invalid`,
    report.orphaned.length > 0 && `${report.orphaned.length} no longer in the schema`,
  ]
    .filter(Boolean)
    .join(', ')
}

type Overview = AnswerOf<'GET /organizations/{org_id}/overview'>
type Deployment = Overview['repositories'][number]['targets'][number]['latest']

/** Limits the repositories of a card. */
const shownAtFirst = 5

/**
 * Shows what is live of each repository in an environment, or its newest deployment where none is live. One read serves
 * all environments of the page.
 */
function LatestDeployments({ environmentId }: { readonly environmentId: string }) {
  const { slug } = useOrganization()
  const { data, isError } = useRead('GET /organizations/{org_id}/overview')
  if (isError) return <span className="text-muted">not known at the moment</span>
  if (data === undefined) return '…'
  const deployments = listDeployments(data, environmentId)
  if (deployments.length === 0) return <span className="text-muted">nothing yet</span>
  const more = deployments.length - shownAtFirst
  return (
    <ul className="flex flex-col">
      {deployments.slice(0, shownAtFirst).map((deployment) => (
        <li key={deployment.id}>
          <DeploymentLink deployment={deployment} />
        </li>
      ))}
      {more > 0 && (
        <li>
          <Link to="/$org" params={{ org: slug }} search={{ repositories: 'all' }}>
            {more} more
          </Link>
        </li>
      )}
    </ul>
  )
}

/** Returns the deployments of an environment, one of each repository. */
function listDeployments(
  { environments, repositories }: Overview,
  environmentId: string,
): readonly Deployment[] {
  const tracked = repositories
    .flatMap(({ targets }) => targets)
    .filter((target) => target.environmentId === environmentId)
    .map(({ live, latest }) => live ?? latest)
  if (tracked.length > 0) return tracked
  // Belongs to a repository that is no longer tracked.
  const latest = environments.find(({ id }) => id === environmentId)?.latest
  return latest === null || latest === undefined ? [] : [latest]
}

function DeploymentLink({ deployment }: { readonly deployment: Deployment }) {
  const { slug } = useOrganization()
  const { id, repository, sha, state, at } = deployment
  return (
    <Link
      to="/$org/deployments/$deploymentId"
      params={{ org: slug, deploymentId: id }}
      className="inline-flex min-h-7 max-w-full flex-wrap items-center gap-x-2"
    >
      <bdi className="w-full truncate">{repository}</bdi>
      <Sha sha={sha} /> <DeploymentBadge state={state} />
      <span className="text-sm text-muted">
        <Age at={at} />
      </span>
    </Link>
  )
}
