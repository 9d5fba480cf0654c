/** Describes a deployment as the delivery figures see it. */
export interface FigureDeployment {
  readonly repository: string
  /** `null`: it is in no environment of the organization. */
  readonly environmentId: string | null
  readonly isProduction: boolean
  readonly hostEnvironment: string
  /** In minutes, as all moments here. */
  readonly createdAt: number
  /** When it went live or failed. */
  readonly endedAt: number
  readonly outcome: 'live' | 'failure' | 'error' | 'running'
  /** Only of one that went live, compared with the one that was live before. */
  readonly relation: 'first' | 'forward' | 'rollback' | 'hotfix' | 'same' | 'unknown'
  readonly firstCommittedAt: number | null
}

/** Describes a period, in minutes. */
export interface ModelPeriod {
  readonly from: number
  readonly to: number
}

const minuteMs = 60_000

/** Works out the figures of some deployments in a period one after another, from the whole list. */
export function workOutFigures(
  all: readonly FigureDeployment[],
  isCounted: (deployment: FigureDeployment) => boolean,
  { from, to }: ModelPeriod,
) {
  const ended = all.filter(
    (one) => one.outcome !== 'running' && one.endedAt >= from && one.endedAt < to && isCounted(one),
  )
  const live = ended.filter(({ outcome }) => outcome === 'live')
  const leads = live.flatMap(({ firstCommittedAt, endedAt }) =>
    firstCommittedAt === null || firstCommittedAt > endedAt ? [] : [endedAt - firstCommittedAt],
  )
  const failed = ended.filter((one) => hasFailed(one, all))
  const restores = failed.flatMap((one) => {
    const good = laterLive(one, all).find((next) => !hasFailed(next, all))
    return good === undefined ? [] : [good.endedAt - one.endedAt]
  })
  return {
    deployed: live.length,
    deploymentsPerDay: live.length / ((to - from) / 1440),
    leadTime: {
      medianMs: quantile(leads, 0.5),
      p90Ms: quantile(leads, 0.9),
      deployments: leads.length,
    },
    changeFailure: {
      rate: ended.length === 0 ? null : failed.length / ended.length,
      failed: failed.length,
      deployments: ended.length,
    },
    restore: {
      medianMs: quantile(restores, 0.5),
      restored: restores.length,
      open: failed.length - restores.length,
    },
  }
}

/** Lists the deployments that went live in the same place after one ended, oldest first. */
function laterLive(one: FigureDeployment, all: readonly FigureDeployment[]): FigureDeployment[] {
  return all
    .filter(
      (other) =>
        other.outcome === 'live' &&
        other.repository === one.repository &&
        other.hostEnvironment.toLowerCase() === one.hostEnvironment.toLowerCase() &&
        other.endedAt > one.endedAt,
    )
    .toSorted((a, b) => a.endedAt - b.endedAt)
}

function hasFailed(one: FigureDeployment, all: readonly FigureDeployment[]): boolean {
  if (one.outcome === 'failure' || one.outcome === 'error') return true
  const next = laterLive(one, all)[0]
  return next?.relation === 'rollback' || (next?.relation === 'hotfix' && next.isProduction)
}

/** Between two values in a line, rounded to milliseconds. */
function quantile(minutes: readonly number[], share: number): number | null {
  const sorted = minutes.toSorted((a, b) => a - b)
  const at = share * (sorted.length - 1)
  const [below, above] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  if (below === undefined || above === undefined) return null
  return Math.round((below + (above - below) * (at - Math.floor(at))) * minuteMs)
}
