import type { AnswerOf } from '../../api/routes.ts'
import { Badge } from '../../components/badge.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Age, toDuration } from '../../components/time.tsx'

type DeliveryNode = AnswerOf<'GET /server/status'>['deliveryNodes'][number]

/** Lists the nodes that only serve configuration. Those that need the operator stand first, as the server sends them. */
export function DeliveryNodes({ nodes }: { readonly nodes: readonly DeliveryNode[] }) {
  if (nodes.length === 0) return null
  return (
    <section aria-labelledby="delivery-nodes" className="border-t border-line p-4">
      <h3 id="delivery-nodes" className="mb-2 font-medium">
        Delivery nodes
      </h3>
      <ul className="grid gap-3">
        {nodes.map((node) => (
          <li key={`${node.carrier} ${node.organization} ${node.name} ${node.reportedAt}`}>
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <bdi className="min-w-0 font-medium wrap-anywhere">{node.name}</bdi>
              <StateBadge state={node.state} />
            </p>
            <p className="text-muted">{describe(node)}</p>
            <NextStep node={node} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function StateBadge({ state }: Pick<DeliveryNode, 'state'>) {
  if (state === 'silent') return <Badge tone="bad">No report</Badge>
  return state === 'behind' ? (
    <Badge tone="warn">Behind</Badge>
  ) : (
    <Badge tone="ok">Up to date</Badge>
  )
}

function describe({ carrier, fedBy, organization, version, snapshots }: DeliveryNode): string {
  const source = fedBy ?? 'the database'
  const kind = {
    database: `Follows ${source}`,
    relay: `Relay, fed by ${source}`,
    nats: `Fed through NATS at ${source}`,
  }[carrier]
  const owner = organization === null ? '' : ` for ${organization}`
  const count = snapshots === 1 ? '1 snapshot' : `${snapshots} snapshots`
  return `${kind}${owner}, version ${version}, ${count}`
}

/** Says since when a node may serve older values, why, and what to do. */
function NextStep({ node }: { readonly node: DeliveryNode }) {
  const { state, asOf, fault, reportedAt, fedBy } = node
  if (state === 'silent') {
    return (
      <p>
        Its last report came <Age at={reportedAt} />. Check that the process runs and reaches{' '}
        {fedBy ?? 'the database'}. A day after that report it leaves this list.
      </p>
    )
  }
  if (state === 'ok') return null
  return (
    <p>
      {asOf === null
        ? 'It does not know how old its values are. '
        : `It served values that were ${ageAtReport(asOf, reportedAt)} old. `}
      {fault !== null && <LongText text={fault} />}
    </p>
  )
}

function ageAtReport(asOf: string, reportedAt: string): string {
  return toDuration(Math.max(0, Date.parse(reportedAt) - Date.parse(asOf)))
}
