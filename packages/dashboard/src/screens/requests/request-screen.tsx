import { Link, useParams } from '@tanstack/react-router'
import { useList, useRead } from '../../api/use-api.ts'
import { buttonClass } from '../../components/button.tsx'
import { Facts } from '../../components/facts.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { Loaded, Skeleton } from '../../components/states.tsx'
import { Age, toExactTime } from '../../components/time.tsx'
import { PageLink } from '../../session/page-link.tsx'
import { useOrganization } from '../../session/organization.ts'
import { useEnvironments } from '../configs/environments.ts'
import { ProofLink } from '../proofs/proof-link.tsx'
import { useSignals } from '../proofs/use-signals.ts'
import { ConflictPanel } from './conflict-panel.tsx'
import {
  describeApprovals,
  describeNext,
  describeVia,
  type ChangeRequest,
} from './describe-request.ts'
import { EffectsPanel } from './effects-panel.tsx'
import { OverrideNotice } from './override-notice.tsx'
import { RequestActions } from './request-actions.tsx'
import { describeRequestWatches } from './read-watches.ts'
import { RequestDialogs } from './request-dialogs.tsx'
import { ReviewsPanel } from './reviews-panel.tsx'
import { StateBadge } from './state-badge.tsx'
import { isWaiting } from './states.ts'
import { StepsPanel } from './steps-panel.tsx'

/** Shows one request: what it changes for readers, what people say about it, and what can be done with it. */
export function RequestScreen() {
  const { requestId } = useParams({ from: '/$org/requests/$requestId' })
  const { slug } = useOrganization()
  const query = useRead('GET /organizations/{org_id}/change-requests/{request_id}', {
    params: { request_id: requestId },
  })
  const above = (
    <Link to="/$org/requests" params={{ org: slug }} className={buttonClass('quiet')}>
      All requests
    </Link>
  )
  return (
    <Loaded
      query={query}
      skeleton={<Skeleton lines={10} />}
      around={(instead) => (
        <Page title="Request" above={above}>
          {instead}
        </Page>
      )}
    >
      {(request) => (
        <Page
          title={request.title}
          above={above}
          beside={<StateBadge state={request.state} />}
          actions={<RequestActions request={request} />}
        >
          <Summary request={request} />
          <OverrideNotice request={request} />
          <ConflictPanel request={request} />
          <StepsPanel request={request} />
          <EffectsPanel request={request} />
          <ReviewsPanel key={request.revision} request={request} />
          <RequestDialogs request={request} />
        </Page>
      )}
    </Loaded>
  )
}

interface SummaryProps {
  readonly request: ChangeRequest
}

/** Says what happens next, why the change is asked for, and by whom. */
function Summary({ request }: SummaryProps) {
  const { number, reason, author, createdAt, revision, applyAt, environments, expiresAt } = request
  const { appliedVersions = [] } = request
  const via = describeVia(author.via)
  const watches = useWatches(request)
  return (
    <Panel title={`Request ${number}`}>
      <div className="flex flex-col gap-3">
        <p role="status" className="font-medium wrap-anywhere">
          {describeNext(request, applyAt === null ? undefined : toExactTime(applyAt))}
        </p>
        {watches.length > 0 && <p className="wrap-anywhere">{watches.join(' ')}</p>}
        {reason !== '' && <p className="wrap-anywhere whitespace-pre-wrap">{reason}</p>}
        <Facts
          facts={{
            'Asked by': (
              <>
                <bdi>{author.name}</bdi>
                {via !== undefined && `, ${via}`}, <Age at={createdAt} />
              </>
            ),
            Approvals:
              environments.length === 0 ? undefined : (
                <ul>
                  {environments.map(({ environmentId, name, approvals }) => (
                    <li key={environmentId}>
                      <bdi>{name}</bdi>: {describeApprovals(approvals)}
                    </li>
                  ))}
                </ul>
              ),
            'Applies at': applyAt === null ? undefined : toExactTime(applyAt),
            Revision:
              revision === 1 ? undefined : `${revision}. Approvals of earlier ones do not count.`,
            Expires: isWaiting(request) ? <Age at={expiresAt} /> : undefined,
            Versions: appliedVersions.length === 0 ? undefined : <Versions request={request} />,
          }}
        />
      </div>
    </Panel>
  )
}

/** Returns how the change of a request is watched once it is live, while people can still decide about it. */
function useWatches(request: ChangeRequest): readonly string[] {
  const { data: environments = [] } = useEnvironments()
  const { signals, nameOf } = useSignals()
  if (signals === undefined || !isWaiting(request)) return []
  return describeRequestWatches(request, environments, nameOf)
}

/** Links to the versions that the request has made, and to their proofs where these are among the newest. */
function Versions({ request: { appliedVersions = [], environments } }: SummaryProps) {
  const { data: proofs = [] } = useList('GET /organizations/{org_id}/proofs', {
    query: { limit: 100 },
  })
  const proofOf = (id: string) => proofs.find(({ subject }) => subject.versionId === id)
  const nameOf = (id: string) =>
    environments.find(({ environmentId }) => environmentId === id)?.name ?? 'another environment'
  return (
    <ul>
      {appliedVersions.map(({ environmentId, schemaId, versionId, version }) => {
        const proof = proofOf(versionId)
        return (
          <li key={versionId} className="flex flex-wrap items-center gap-x-3">
            <PageLink to={{ page: 'history', search: { schema: schemaId, version: versionId } }}>
              Version {version} of {nameOf(environmentId)}
            </PageLink>
            {proof && <ProofLink proof={proof} />}
          </li>
        )
      })}
    </ul>
  )
}
