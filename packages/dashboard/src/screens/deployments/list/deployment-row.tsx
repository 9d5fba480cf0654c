import { nameOfRef } from '@signalbox/contract'
import { Link } from '@tanstack/react-router'
import { GitBranch, GitCommitHorizontal, Tag, type LucideIcon } from 'lucide-react'
import { DeploymentBadge, FormerHostBadge, MessageBadge, TestsBadge } from '../badges.tsx'
import { nameOf } from '../commit-title.ts'
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
  'max-lg:flex max-lg:flex-wrap max-lg:items-center max-lg:gap-x-2 max-lg:gap-y-1 max-lg:border-b max-lg:border-line max-lg:px-4 max-lg:py-2 max-lg:[&>td]:border-0 max-lg:[&>td]:p-0'

/** Sets the height of a row so that 18 rows fit a screen of 1280 by 800 pixels. */
const wideRow = 'lg:h-[35px] lg:[&>td]:py-0 lg:[&>td]:pr-0 lg:[&>td:last-child]:pr-4'

/**
 * Shows a deployment: its environment and commit, its state, its tests, and its message where it isn't sent. The whole row
 * is the link of its title.
 */
export function DeploymentRow({ deployment }: DeploymentProps) {
  const { state, hostEnvironment, tests, messageState } = deployment
  const isSent = messageState === null || messageState === 'live'
  return (
    <Row
      className={`relative has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent forced-colors:has-focus-visible:outline-[Highlight] ${narrowRow} ${wideRow}`}
    >
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
      <Cell className="max-lg:empty:hidden">
        {(tests !== null || !isSent) && (
          <span className="flex flex-wrap gap-1">
            {tests !== null && <TestsBadge tests={tests} compact={!isSent || tests.contaminated} />}
            {!isSent && <MessageBadge state={messageState} named />}
          </span>
        )}
      </Cell>
      <Cell className="min-w-0">
        <When deployment={deployment} />
      </Cell>
    </Row>
  )
}

function Commit({ deployment }: DeploymentProps) {
  const { slug } = useOrganization()
  const { id, sha, ref, refKind, repository, isOfFormerHost, issueKeys } = deployment
  const RefIcon = refIcons[refKind]
  const title = nameOf(deployment)
  return (
    <div className="flex min-w-0 flex-col">
      <Link
        to="/$org/deployments/$deploymentId"
        params={{ org: slug, deploymentId: id }}
        className="my-0! max-w-full truncate py-0! leading-[18px] font-medium text-text outline-none after:absolute after:inset-0"
        title={title}
      >
        <bdi>{title}</bdi>
      </Link>
      <div className="flex min-w-0 items-center gap-x-2.5 text-xs leading-[15px] text-muted max-lg:flex-wrap">
        <bdi className="max-w-full shrink-0 truncate lg:max-w-[40%]" title={repository}>
          {repository}
        </bdi>
        {isOfFormerHost && <FormerHostBadge />}
        <code className="font-mono" title={sha}>
          {sha.slice(0, 7)}
        </code>
        {ref !== sha && (
          <span className="inline-flex min-w-0 items-center gap-1" title={ref}>
            <RefIcon aria-label={refKind} role="img" size={12} className="shrink-0" />
            <bdi className="truncate font-mono">{nameOfRef(ref)}</bdi>
          </span>
        )}
        {issueKeys.length > 0 && <IssueKeys keys={issueKeys} />}
      </div>
    </div>
  )
}

const keysShown = 3

function IssueKeys({ keys }: { readonly keys: readonly string[] }) {
  const more = keys.length - keysShown
  return (
    <span
      className="inline-flex max-w-full shrink-0 gap-x-1.5 font-medium text-text max-lg:flex-wrap"
      title={keys.join(', ')}
    >
      {keys.slice(0, keysShown).map((key) => (
        <span key={key}>{key}</span>
      ))}
      {more > 0 && <span className="font-normal text-muted">and {more} more</span>}
    </span>
  )
}

/** Shows the time and the author of the deployment. */
function When({ deployment: { creator, createdAt, finishedAt } }: DeploymentProps) {
  return (
    <div className="flex min-w-0 items-baseline gap-x-2 lg:justify-end">
      {creator !== null && (
        <bdi className="truncate text-sm text-muted" title={creator.name}>
          {creator.login ?? creator.name}
        </bdi>
      )}
      <Age at={finishedAt ?? createdAt} />
    </div>
  )
}
