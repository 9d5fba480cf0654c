import { LongText } from '../../../components/long-text.tsx'
import { Panel } from '../../../components/panel.tsx'
import { PageLink } from '../../../session/page-link.tsx'
import { StateBadge } from '../badges.tsx'
import { decisionVariants, describeDecision, type Decision } from './describe-decision.ts'
import { Reasons } from './reasons.tsx'

interface GatePanelProps {
  readonly decision: Decision | null
}

/** Shows what a deployment waits for or has waited for. Nothing where it did not ask. */
export function GatePanel({ decision }: GatePanelProps) {
  if (decision === null) return null
  const { id, state, reasons, comment, may } = decision
  return (
    <Panel title="Gate" actions={<StateBadge variant={decisionVariants[state]} />}>
      <div className="flex flex-col gap-3">
        <p role="status" className="font-medium wrap-anywhere">
          {describeDecision(decision)}
        </p>
        {comment !== null && (
          <p className="wrap-anywhere whitespace-pre-wrap">
            <LongText text={comment} />
          </p>
        )}
        <Reasons
          label="What it waits for"
          isWaiting={state === 'waiting'}
          reasons={reasons.filter(({ isWatched }) => !isWatched)}
        />
        <PageLink to={{ page: 'gateDecision', params: { decisionId: id } }}>
          {may.approve || may.override ? 'Decide about it' : 'Open the decision'}
        </PageLink>
      </div>
    </Panel>
  )
}
