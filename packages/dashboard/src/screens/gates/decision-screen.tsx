import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ThumbsUp } from 'lucide-react'
import { useList, useRead } from '../../api/use-api.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { CopyButton, Sha } from '../../components/code.tsx'
import { Facts } from '../../components/facts.tsx'
import { LongText } from '../../components/long-text.tsx'
import { OutsideLink } from '../../components/outside-link.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { Loaded, Skeleton } from '../../components/states.tsx'
import { Age } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'
import { PageLink } from '../../session/page-link.tsx'
import { useProviderName } from '../../session/use-provider-name.ts'
import { StateBadge } from '../deployments/badges.tsx'
import { conclusionVariants } from '../deployments/checks/describe-check.ts'
import {
  decisionVariants,
  describeDecision,
  nameDecision,
  type Decision,
} from '../deployments/gate/describe-decision.ts'
import { Reasons } from '../deployments/gate/reasons.tsx'
import { DecisionDialogs } from './decision-dialogs.tsx'
import type { DecisionSearch } from './search.ts'

const route = '/$org/gates/$decisionId'

/** Shows one deployment that asked: what it waits for, who approved it, and what the person may do about it. */
export function DecisionScreen() {
  const { decisionId } = useParams({ from: route })
  const { slug } = useOrganization()
  const query = useRead('GET /organizations/{org_id}/gate-decisions/{decision_id}', {
    params: { decision_id: decisionId },
  })
  const above = (
    <Link to="/$org/gates" params={{ org: slug }} className={buttonClass('quiet')}>
      All gates
    </Link>
  )
  return (
    <Loaded
      query={query}
      skeleton={<Skeleton lines={10} />}
      around={(instead) => (
        <Page title="Gate decision" above={above}>
          {instead}
        </Page>
      )}
    >
      {(decision) => (
        <Page
          title={nameDecision(decision)}
          above={above}
          beside={<StateBadge variant={decisionVariants[decision.state]} />}
          actions={<Actions decision={decision} />}
        >
          <Summary decision={decision} />
          <ReasonsPanel decision={decision} />
          <ApprovalsPanel decision={decision} />
          <DecisionDialogs decision={decision} />
        </Page>
      )}
    </Loaded>
  )
}

interface DecisionProps {
  readonly decision: Decision
}

/** Offers what the person may do while the deployment waits. */
function Actions({ decision }: DecisionProps) {
  const navigate = useNavigate({ from: route })
  const { may } = decision
  const open = (panel: NonNullable<DecisionSearch['panel']>) =>
    void navigate({ search: { panel }, replace: true })
  return (
    <>
      {may.approve && (
        <Button variant="primary" icon={ThumbsUp} onClick={() => open('approve')}>
          Approve
        </Button>
      )}
      {may.refuse && <Button onClick={() => open('refuse')}>Refuse</Button>}
      {may.override && (
        <Button variant="danger" onClick={() => open('override')}>
          Let it go on
        </Button>
      )}
    </>
  )
}

function Summary({ decision }: DecisionProps) {
  const { repository, sha, ref, environment, hostEnvironment, comment } = decision
  const { deploymentId, askedAt, decidedAt } = decision
  const checks = useList('GET /organizations/{org_id}/commit-checks', {
    query: { repository, sha, limit: 1 },
  })
  const check = checks.data?.[0]
  return (
    <Panel title="Decision">
      <div className="flex flex-col gap-3">
        <p role="status" className="font-medium wrap-anywhere">
          {describeDecision(decision)}
        </p>
        {comment !== null && (
          <p className="wrap-anywhere whitespace-pre-wrap">
            <LongText text={comment} />
          </p>
        )}
        <Facts
          facts={{
            Repository: <bdi>{repository}</bdi>,
            Commit: (
              <span className="inline-flex items-center">
                <Sha sha={sha} />
                <CopyButton text={sha} label="Copy the commit's hash" />
              </span>
            ),
            Branch: ref === null ? undefined : <bdi>{ref}</bdi>,
            Environment: (
              <>
                <bdi>{environment ?? hostEnvironment}</bdi>
                {environment !== null && environment !== hostEnvironment && (
                  <span className="text-muted">
                    , asked as <bdi>{hostEnvironment}</bdi>
                  </span>
                )}
              </>
            ),
            Deployment:
              deploymentId === null ? undefined : (
                <PageLink to={{ page: 'deployment', params: { deploymentId } }}>
                  Open the deployment
                </PageLink>
              ),
            Configuration:
              check === undefined ? undefined : (
                <PageLink to={{ page: 'check', params: { checkId: check.id } }}>
                  {conclusionVariants[check.conclusion].word}
                </PageLink>
              ),
            'Asked by': <AskedBy decision={decision} />,
            'Asked at': <Age at={askedAt} />,
            'Decided at': decidedAt === null ? undefined : <Age at={decidedAt} />,
            Answer: <Answer decision={decision} />,
          }}
        />
      </div>
    </Panel>
  )
}

/** Names the run that asked, and how. */
function AskedBy({ decision: { run, via } }: DecisionProps) {
  const host = useProviderName('codehost')
  return (
    <>
      <OutsideLink href={run.url}>
        run <bdi>{run.id}</bdi>
        {run.attempt > 1 && `, attempt ${run.attempt}`}
      </OutsideLink>
      <span className="block text-sm text-muted">
        {via === 'rule' ? `by the rule of the environment on ${host}` : 'by a step'}
      </span>
    </>
  )
}

/** Says whether the code host knows the answer. A step asks for it by itself. */
function Answer({ decision: { answer, via } }: DecisionProps) {
  const host = useProviderName('codehost')
  if (via === 'step') return 'the step asks for it'
  if (answer.state === 'sent') return `${host} has it`
  if (answer.state === 'waiting') return `being sent to ${host}`
  if (answer.state === 'none') return 'none yet'
  return `not sent: ${answer.detail ?? `${host} refused it.`}`
}

/** Lists what counts, and apart from it what gates say that only watch. */
function ReasonsPanel({ decision: { reasons, state } }: DecisionProps) {
  const watched = reasons.filter(({ isWatched }) => isWatched)
  const counting = reasons.filter(({ isWatched }) => !isWatched)
  const isWaiting = state === 'waiting'
  const title = isWaiting ? 'What it waits for' : 'What it waited for'
  return (
    <>
      <Panel title={title}>
        {counting.length === 0 ? (
          <p className="text-muted">No gate held it up.</p>
        ) : (
          <Reasons label={title} reasons={counting} isWaiting={isWaiting} />
        )}
      </Panel>
      {watched.length > 0 && (
        <Panel title="Gates that only watch">
          <div className="flex flex-col gap-3">
            <p className="text-muted">These hold nothing up.</p>
            <Reasons label="Gates that only watch" reasons={watched} isWaiting={isWaiting} />
          </div>
        </Panel>
      )}
    </>
  )
}

function ApprovalsPanel({ decision: { approvals } }: DecisionProps) {
  if (approvals.length === 0) return null
  return (
    <Panel title="Approvals">
      <ol aria-label="Approvals" className="flex flex-col gap-2">
        {approvals.map(({ member, at, comment }) => (
          <li key={`${member.id} ${at}`} className="flex flex-col">
            <span className="flex flex-wrap items-center gap-x-2">
              <ThumbsUp aria-hidden size={14} className="shrink-0 text-ok" />
              <bdi className="min-w-0 font-medium wrap-anywhere">{member.name}</bdi>
              <span className="text-sm text-muted">
                <Age at={at} />
              </span>
            </span>
            {comment !== null && (
              <p className="wrap-anywhere whitespace-pre-wrap">
                <LongText text={comment} />
              </p>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  )
}
