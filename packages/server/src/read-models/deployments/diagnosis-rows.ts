import type { Tx } from '../../store/store.ts'

/** Describes a code host as far as it tells why there are no deployments. */
export interface DiagnosisFacts {
  readonly trackedRepositories: number
  readonly repositories: number
  /** The newest webhook of the last thirty days that the code host sent. */
  readonly lastEventAt: Date | null
  readonly lastDeploymentEventAt: Date | null
  /** Says when a pipeline last reported a deployment, in the last thirty days. Only read where the host has none itself. */
  readonly lastReportedAt: Date | null
  /** Up to a thousand, of the last seven days. */
  readonly failedWebhooks: number
  readonly failureReason: string | null
  readonly environments: number
  readonly ignoredEnvironments: number
  readonly lastSyncState: string | null
  readonly lastSyncDetail: string | null
}

const newestEvent = (condition: string) => `(select received_at from received_webhooks
  where org_id = $1 and provider = $3 and received_at > $2::timestamptz - interval '30 days' ${condition}
  order by received_at desc, id desc limit 1)`

/** Describes which webhooks are read. */
export interface DiagnosedHost {
  readonly provider: string
  /** Names the events that report deployments. */
  readonly deploymentEvents: readonly string[]
  /** True: it has no deployments, so pipelines report them. */
  readonly isReported: boolean
}

/** Reads what tells why there are no deployments. `host`: the code host that the organization has; `undefined`: none. */
export async function findDiagnosisFacts(
  tx: Tx,
  orgId: string,
  { host, now }: { readonly host: DiagnosedHost | undefined; readonly now: Date },
): Promise<DiagnosisFacts> {
  const [row] = await tx.query<DiagnosisFacts>({
    name: 'find-diagnosis-facts',
    text: `select r.tracked as "trackedRepositories", r.count as repositories,
        ${newestEvent('')} as "lastEventAt",
        ${newestEvent(`and event = any($4)`)} as "lastDeploymentEventAt",
        (select created_at from deployments where $5::boolean and org_id = $1 and source = 'api'
          and created_at > $2::timestamptz - interval '30 days'
          order by created_at desc, id desc limit 1) as "lastReportedAt",
        f.count as "failedWebhooks", f.reason as "failureReason", h.count as environments, h.ignored as "ignoredEnvironments",
        s.state as "lastSyncState", s.detail as "lastSyncDetail"
      from (select count(*)::integer as count, (count(*) filter (where tracked))::integer as tracked from repositories
          where org_id = $1 and removed_at is null and external_id is not null) r
      cross join (select count(*)::integer as count, (array_agg(reason order by received_at desc))[1] as reason from (
          select received_at, reason from received_webhooks where org_id = $1 and state = 'dead'
            and provider = $3 and received_at > $2::timestamptz - interval '7 days'
          order by received_at desc limit 1000) w) f
      cross join (select count(*)::integer as count, (count(*) filter (where ignored))::integer as ignored
          from host_environments where org_id = $1 and removed_at is null) h
      left join lateral (select state, detail from syncs
        where org_id = $1 and depth <> 'issues' order by id desc limit 1) s on true`,
    values: [
      orgId,
      now,
      host?.provider ?? null,
      host?.deploymentEvents ?? [],
      host?.isReported === true,
    ],
  })
  if (row === undefined) throw new Error('Counting answers nothing')
  return row
}
