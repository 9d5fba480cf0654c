import { Link } from '@tanstack/react-router'
import { useList } from '../../api/use-api.ts'
import { Sha } from '../../components/code.tsx'
import { LongText } from '../../components/long-text.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Panel } from '../../components/panel.tsx'
import { Loaded } from '../../components/states.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { Segments } from '../../components/tabs.tsx'
import { Age } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'
import { StateBadge } from '../deployments/badges.tsx'
import {
  decisionVariants,
  describeDecision,
  listBlocking,
  type Decision,
} from '../deployments/gate/describe-decision.ts'

interface DecisionsPanelProps {
  /** Says whether those are listed too that have gone on. */
  readonly isAll: boolean
  readonly onAll: (isAll: boolean) => void
}

const views = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'all', label: 'All' },
] as const

/** Lists the deployments that asked: those that wait, or all of them. */
export function DecisionsPanel({ isAll, onAll }: DecisionsPanelProps) {
  const decisions = useList('GET /organizations/{org_id}/gate-decisions', {
    query: isAll ? {} : { state: 'waiting' },
  })
  return (
    <Panel
      title="Deployments that asked"
      flush
      actions={
        <Segments
          label="Which deployments"
          options={views}
          value={isAll ? 'all' : 'waiting'}
          onChange={(view) => onAll(view === 'all')}
        />
      }
    >
      <Loaded query={decisions}>
        {(items) =>
          items.length === 0 ? (
            <p className="p-4 text-muted">
              {isAll ? 'No deployment has asked yet.' : 'No deployment waits.'}
            </p>
          ) : (
            <Table
              columns={['Deployment', 'State', { title: 'Waits for', className: 'w-1/2' }, 'Asked']}
            >
              {items.map((decision) => (
                <DecisionRow key={decision.id} decision={decision} />
              ))}
            </Table>
          )
        }
      </Loaded>
      <MoreButton list={decisions} />
    </Panel>
  )
}

function DecisionRow({ decision }: { readonly decision: Decision }) {
  const { slug } = useOrganization()
  const { id, sha, repository, environment, hostEnvironment, state, askedAt } = decision
  return (
    <Row>
      <Cell className="wrap-anywhere">
        <Link to="/$org/gates/$decisionId" params={{ org: slug, decisionId: id }}>
          <Sha sha={sha} /> to <bdi>{environment ?? hostEnvironment}</bdi>
        </Link>
        <div className="text-sm text-muted">
          <bdi>{repository}</bdi>
        </div>
      </Cell>
      <Cell>
        <StateBadge variant={decisionVariants[state]} />
      </Cell>
      <Cell className="wrap-anywhere">
        <WaitsFor decision={decision} />
      </Cell>
      <Cell>
        <Age at={askedAt} />
      </Cell>
    </Row>
  )
}

/** Names the first thing that a deployment waits for, or says what has become of it. */
function WaitsFor({ decision }: { readonly decision: Decision }) {
  const [first, ...others] = listBlocking(decision)
  if (decision.state !== 'waiting' || first === undefined) return describeDecision(decision)
  return (
    <>
      <LongText text={first.text} />
      {others.length > 0 && <span className="text-muted"> And {others.length} more.</span>}
    </>
  )
}
