import { Link } from '@tanstack/react-router'
import type { AnswerOf } from '../../api/routes.ts'
import { useRead } from '../../api/use-api.ts'
import { Badge } from '../../components/badge.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Panel } from '../../components/panel.tsx'
import { Loaded } from '../../components/states.tsx'
import { Age, toDuration } from '../../components/time.tsx'
import { DeliveryNodes } from './delivery-nodes.tsx'
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
