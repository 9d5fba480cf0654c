import { nameOfRef } from '@signalbox/contract'
import { Link } from '@tanstack/react-router'
import { ExternalLink, Play, Rocket, ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import { DeploymentBadge, FormerHostBadge } from '../badges.tsx'
import { nameOf, toTitle } from '../commit-title.ts'
import { SyncButton } from '../sync/sync-button.tsx'
import type { SyncControl } from '../sync/use-sync.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button, buttonClass } from '../../../components/button.tsx'
import { CopyButton, Sha } from '../../../components/code.tsx'
import { OutsideLink } from '../../../components/outside-link.tsx'
import { Page } from '../../../components/page.tsx'
import { Age } from '../../../components/time.tsx'
import { useLack } from '../../../session/use-capability.ts'
import { useOrganization } from '../../../session/organization.ts'
import { useProviderName } from '../../../session/use-provider-name.ts'
import { GatePanel } from '../gate/gate-panel.tsx'
import { NeedsNotice } from '../gate/needs-notice.tsx'
import { ConfigPanel } from './config-panel.tsx'
import type { Detail } from './detail.ts'
import { IssuesPanel } from './issues-panel.tsx'
import { MessagesPanel } from './messages-panel.tsx'
import { TestsPanel } from './tests-panel.tsx'
import { Timeline } from './timeline.tsx'
import { Trail } from './trail.tsx'
import { Panel } from '../../../components/panel.tsx'

interface DeploymentPageProps {
  readonly detail: Detail
  readonly sync: SyncControl
  readonly progress: ReactNode
  readonly onRun: (ref: string) => void
  readonly onDeploy: () => void
}

/** Shows one deployment: its steps, issues, tests and messages. */
export function DeploymentPage({ detail, sync, progress, onRun, onDeploy }: DeploymentPageProps) {
  const { can } = useOrganization()
  const lack = useLack('codehost', 'startWorkflows')
  const isOfNow = !detail.isOfFormerHost
  const mayRun = can('developer') && lack === undefined && isOfNow
  return (
    <Page
      title={nameOf(detail)}
      above={<Trail detail={detail} />}
      beside={<States detail={detail} />}
      actions={
        <>
          <Links detail={detail} />
          {isOfNow && <SyncButton control={sync} />}
          {mayRun && (
            <Button icon={Play} onClick={() => onRun(detail.ref)}>
              {detail.testRuns.length > 0 ? 'Run tests again' : 'Run tests'}
            </Button>
          )}
          {mayRun && detail.canRunWorkflows && (
            <Button icon={Rocket} onClick={onDeploy}>
              Deploy it again
            </Button>
          )}
        </>
      }
    >
      <Facts detail={detail} />
      <Bearings detail={detail} />
      {progress}
      <NeedsNotice needed={detail.configuration} environment={detail.hostEnvironment} />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Timeline steps={detail.timeline} onSync={sync.start} onRun={onRun} />
        <div className="flex min-w-0 flex-col gap-4">
          <GatePanel decision={detail.gate} />
          <IssuesPanel issues={detail.issues} commitsUnread={detail.commitsUnread} />
          <MessagesPanel messages={detail.messages} />
          <ConfigPanel detail={detail} />
        </div>
      </div>
      <TestsPanel detail={detail} />
      <CommitsPanel detail={detail} />
    </Page>
  )
}

const relations: Readonly<Partial<Record<Detail['relation'], string>>> = {
  first: 'first deployment',
  rollback: 'rollback',
  hotfix: 'hotfix',
  same: 'same commit again',
}

function States({
  detail: { state, hostEnvironment, relation, isOfFormerHost },
}: {
  readonly detail: Detail
}) {
  const description = relations[relation]
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-1.5">
      <DeploymentBadge state={state} />
      <Badge isName>{hostEnvironment}</Badge>
      {isOfFormerHost && <FormerHostBadge />}
      {description !== undefined && <Badge tone="info">{description}</Badge>}
    </span>
  )
}

/** Maps the state of a deployment that ended to the verb before its time. */
const endings: Partial<Readonly<Record<Detail['state'], string>>> = {
  success: 'Deployed',
  superseded: 'Deployed',
  rolled_back: 'Deployed',
  failure: 'Failed',
  error: 'Failed',
}

/** Shows the commit with its time, and then the deployment with its own. */
function Facts({ detail }: { readonly detail: Detail }) {
  const { sha, ref, repository, creator, state, createdAt, finishedAt, committedAt } = detail
  return (
    <p className="-mt-2 flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-muted">
      <span className="inline-flex items-center">
        <Sha sha={sha} />
        <CopyButton text={sha} label="Copy the commit's hash" />
        {committedAt !== null && (
          <span>
            committed <Age at={committedAt} />
          </span>
        )}
      </span>
      <span className="min-w-0 wrap-anywhere">
        {ref !== sha && (
          <>
            on <bdi className="font-mono text-sm">{nameOfRef(ref)}</bdi>{' '}
          </>
        )}
        in <bdi>{repository}</bdi>
      </span>
      <span className="min-w-0">
        {endings[state] !== undefined && finishedAt !== null ? (
          <>
            {endings[state]} <Age at={finishedAt} />
          </>
        ) : (
          <>
            Started <Age at={createdAt} />
          </>
        )}
        {creator !== null && (
          <>
            {' by '}
            <bdi>{creator.name}</bdi>
          </>
        )}
      </span>
    </p>
  )
}

/** Leads to the success before, to the difference at the code host, and to everything else that changed about then. */
function Bearings({ detail }: { readonly detail: Detail }) {
  const { slug } = useOrganization()
  const host = useProviderName('codehost')
  const { id, previous, compareUrl, createdAt } = detail
  const classes = 'inline-flex min-h-7 items-center gap-1'
  return (
    <p className="-mt-3 flex flex-wrap items-center gap-x-4">
      {previous !== null && (
        <Link
          to="/$org/deployments/$deploymentId"
          params={{ org: slug, deploymentId: previous.id }}
          className={classes}
        >
          Previous: {previous.sha.slice(0, 7)}
        </Link>
      )}
      {compareUrl !== null && (
        <OutsideLink href={compareUrl} className={classes}>
          Compare on {host}
          <ExternalLink aria-hidden size={13} />
        </OutsideLink>
      )}
      <Link
        to="/$org/timeline"
        params={{ org: slug }}
        search={{ at: createdAt, mark: id }}
        className={classes}
      >
        Around this moment
      </Link>
    </p>
  )
}

function Links({ detail: { url, logUrl } }: { readonly detail: Detail }) {
  return (
    <>
      {logUrl !== null && (
        <OutsideLink href={logUrl} className={buttonClass('quiet')}>
          <ScrollText aria-hidden size={15} />
          Log
        </OutsideLink>
      )}
      {url !== null && (
        <OutsideLink href={url} className={buttonClass('quiet')}>
          <ExternalLink aria-hidden size={15} />
          Open
        </OutsideLink>
      )}
    </>
  )
}

/** Shows the commits since the last successful deployment. */
function CommitsPanel({ detail: { commits, range } }: { readonly detail: Detail }) {
  if (commits.length === 0) return null
  const total = range?.total ?? commits.length
  return (
    <Panel title="Commits" flush actions={<Badge>{total}</Badge>}>
      <ul className="divide-y divide-line">
        {commits.map((commit) => (
          <li key={commit.sha} className="flex flex-wrap items-baseline gap-x-3 px-4 py-2">
            <OutsideLink href={commit.url}>
              <Sha sha={commit.sha} />
            </OutsideLink>
            <bdi className="min-w-48 flex-1 break-words">
              {toTitle(commit.message) ?? 'No commit message'}
            </bdi>
            <span className="min-w-0 text-sm text-muted">
              {commit.author !== null && <bdi>{commit.author.name} </bdi>}
              {commit.at !== null && <Age at={commit.at} />}
            </span>
          </li>
        ))}
      </ul>
      {range?.truncated === true && (
        <p className="border-t border-line px-4 py-2 text-sm text-muted">
          {total > commits.length
            ? `Showing ${commits.length} of ${total} commits.`
            : 'The list is incomplete.'}
        </p>
      )}
    </Panel>
  )
}
