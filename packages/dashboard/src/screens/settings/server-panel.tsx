import { Link } from '@tanstack/react-router'
import type { AnswerOf } from '../../api/routes.ts'
import { useRead } from '../../api/use-api.ts'
import { Badge } from '../../components/badge.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Panel } from '../../components/panel.tsx'
import { Loaded } from '../../components/states.tsx'
import { Age, toDuration } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'
import { toSize } from './to-size.ts'

/** Shows the operator the state of this server. */
export function ServerPanel() {
  const status = useRead('GET /server/status')
  return (
    <Panel title="This server" flush>
      <Loaded query={status}>
        {({
          version,
          startedAt,
          storage,
          roles,
          nodes,
          deliveryNodes,
          queues,
          failedJobs,
          lastBackupAt,
          checks,
        }) => (
          <>
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 p-4 [&>dt]:text-muted">
              <dt>Version</dt>
              <dd>
                {version}, started <Age at={startedAt} />
              </dd>
              <dt>Storage</dt>
              <dd>
                {storage.engine === 'embedded' ? 'Embedded PostgreSQL' : 'PostgreSQL'}{' '}
                {storage.version}
                {storage.releasedOn !== null && ` (${storage.releasedOn})`},{' '}
                {toSize(storage.sizeBytes)}
              </dd>
              <dt>Processes</dt>
              <dd>
                {nodes === 1 ? '1 process' : `${nodes} processes, this one`} ({roles.join(', ')})
              </dd>
              <dt>Queue</dt>
              <dd>
                {queues.waiting} waiting, {queues.running} running
                {queues.oldestWaitingSeconds !== null &&
                  `, the oldest for ${toDuration(queues.oldestWaitingSeconds * 1000)}`}
              </dd>
              <dt>Permanently failed</dt>
              <dd>{failedJobs === 0 ? 'none' : <FailedJobCount count={failedJobs} />}</dd>
              <dt>Last export</dt>
              <dd>{lastBackupAt === null ? 'never' : <Age at={lastBackupAt} />}</dd>
              <Checks checks={checks} />
            </dl>
            <DeliveryNodes nodes={deliveryNodes} />
          </>
        )}
      </Loaded>
    </Panel>
  )
}

type Checks = AnswerOf<'GET /server/status'>['checks']

function Checks({ checks }: { readonly checks: Checks }) {
  return Object.entries(checks).map(([name, { ok, detail, warning }]) => (
    <div key={name} className="contents [&>dt]:text-muted">
      <dt className="first-letter:uppercase">{name} check</dt>
      <dd>
        <CheckBadge ok={ok} warning={warning === true} />{' '}
        {detail !== undefined && <LongText text={detail} />}
      </dd>
    </div>
  ))
}

function CheckBadge({ ok, warning }: { readonly ok: boolean; readonly warning: boolean }) {
  if (!ok) return <Badge tone="bad">Failing</Badge>
  return warning ? <Badge tone="warn">Needs attention</Badge> : <Badge tone="ok">OK</Badge>
}

/** Shows how many jobs of the whole server failed for good, and where those of each owner are listed and run again. */
function FailedJobCount({ count }: { readonly count: number }) {
  const { slug, name } = useOrganization()
  return (
    <>
      <Badge tone="bad">{count === 1 ? '1 job' : `${count} jobs`}</Badge>{' '}
      <span className="text-muted">
        in total. Those of {name} are under{' '}
        <Link to="/$org/webhooks" params={{ org: slug }} className="underline">
          Incoming webhooks
        </Link>
        , any of the server itself are below.
      </span>
    </>
  )
}

type DeliveryNode = AnswerOf<'GET /server/status'>['deliveryNodes'][number]

/** Lists the nodes that only serve configuration. Those that need the operator stand first, as the server sends them. */
function DeliveryNodes({ nodes }: { readonly nodes: readonly DeliveryNode[] }) {
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
