import { Link } from '@tanstack/react-router'
import { GitBranch, GitCommitHorizontal, Tag, type LucideIcon } from 'lucide-react'
import { DeploymentBadge, MessageBadge, TestsBadge } from '../badges.tsx'
import { nameOf } from '../commit-title.ts'
import { Badge } from '../../../components/badge.tsx'
import { Sha } from '../../../components/code.tsx'
import { Cell, Row } from '../../../components/table.tsx'
import { Age } from '../../../components/time.tsx'
import { useOrganization } from '../../../session/organization.ts'
import type { Deployment } from './deployment.ts'

interface DeploymentProps {
  readonly deployment: Deployment
}

const refIcons: Readonly<Record<Deployment['refKind'], LucideIcon>> = {
  branch: GitBranch,
  tag: Tag,
  sha: GitCommitHorizontal,
}

/** Lays out a row on a narrow screen: its cells flow in lines. */
const narrowRow =
  'max-lg:flex max-lg:flex-wrap max-lg:items-center max-lg:gap-x-2 max-lg:gap-y-1 max-lg:border-b max-lg:border-line max-lg:px-4 max-lg:py-2.5 max-lg:[&>td]:border-0 max-lg:[&>td]:p-0'

/** Shows a deployment: its environment and commit, its state, its tests, and its message. */
export function DeploymentRow({ deployment }: DeploymentProps) {
  const { state, hostEnvironment, tests, messageState } = deployment
  return (
    <Row className={narrowRow}>
      <Cell>
        <DeploymentBadge state={state} />
      </Cell>
      <Cell className="max-w-full truncate" title={hostEnvironment}>
        <span className="text-sm text-muted lg:hidden">to </span>
        <bdi>{hostEnvironment}</bdi>
      </Cell>
      <Cell className="min-w-0 max-lg:w-full">
        <Commit deployment={deployment} />
      </Cell>
      <Cell className="max-lg:empty:hidden">{tests !== null && <TestsBadge tests={tests} />}</Cell>
      <Cell className="max-lg:empty:hidden">
        {messageState !== null && <MessageBadge state={messageState} />}
      </Cell>
      <Cell className="min-w-0">
        <When deployment={deployment} />
      </Cell>
    </Row>
  )
}

function Commit({ deployment }: DeploymentProps) {
  const { slug } = useOrganization()
  const { id, sha, ref, refKind, repository, issueKeys, committedAt } = deployment
  const RefIcon = refIcons[refKind]
  const title = nameOf(deployment)
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <Link
        to="/$org/deployments/$deploymentId"
        params={{ org: slug, deploymentId: id }}
        className="max-w-full self-start truncate font-medium text-text"
        title={title}
      >
        <bdi>{title}</bdi>
      </Link>
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-0.5 text-sm text-muted">
        <Sha sha={sha} />
        {ref !== sha && (
          <span className="inline-flex min-w-0 items-center gap-1" title={ref}>
            <RefIcon aria-label={refKind} role="img" size={13} className="shrink-0" />
            <bdi className="truncate font-mono">{ref}</bdi>
          </span>
        )}
        <bdi className="truncate">{repository}</bdi>
        {committedAt !== null && (
          <span>
            committed <Age at={committedAt} />
          </span>
        )}
        {issueKeys.length > 0 && <IssueKeys keys={issueKeys} />}
      </div>
    </div>
  )
}

const keysShown = 4

function IssueKeys({ keys }: { readonly keys: readonly string[] }) {
  const more = keys.length - keysShown
  return (
    <span className="inline-flex flex-wrap gap-1">
      {keys.slice(0, keysShown).map((key) => (
        <Badge key={key}>{key}</Badge>
      ))}
      {more > 0 && <span title={keys.slice(keysShown).join(', ')}>and {more} more</span>}
    </span>
  )
}

/** Shows the time and the author of the deployment. */
function When({ deployment: { creator, createdAt, finishedAt } }: DeploymentProps) {
  return (
    <div className="flex min-w-0 gap-x-2 lg:flex-col">
      <Age at={finishedAt ?? createdAt} />
      {creator !== null && (
        <bdi className="truncate text-sm text-muted" title={creator.name}>
          {creator.login ?? creator.name}
        </bdi>
      )}
    </div>
  )
}
