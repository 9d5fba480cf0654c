import { Problem } from '@signalbox/contract'
import { notFound } from '../http/answers/problem-response.ts'
import { findEnvironmentRow } from '../configs/environments/environment-rows.ts'
import { listFigures, type FigureRow } from '../read-models/overview/delivery-figure-rows.ts'
import type { Scope } from '../store/scope.ts'
import type { SeriesDeps } from './get-series.ts'

/** Describes the deployments whose figures are asked for. */
export interface FigureQuery {
  readonly orgId: string
  readonly scope: Scope
  readonly from: Date | undefined
  readonly to: Date | undefined
  readonly environmentId: string | undefined
  readonly repository: string | undefined
}

/** Holds the figures of a repository in an environment, or of all. `undefined`: nothing ended in that period. */
export interface TargetFigures {
  readonly current: FigureRow | undefined
  readonly previous: FigureRow | undefined
}

/** Holds the figures of a period and of the one before. */
export interface DeliveryFiguresView {
  readonly from: Date
  readonly to: Date
  readonly targets: readonly (TargetFigures & {
    readonly repository: string
    readonly environmentId: string
  })[]
  readonly hasMore: boolean
  readonly total: TargetFigures
}

const dayMs = 86_400_000
const defaultDays = 30
const maxDays = 366
const targetsMax = 500

/**
 * Works out the delivery figures of a period, of the last 30 days where none is given.
 *
 * @throws {Problem} `not_found` for an environment that is not there, `invalid_query` for a period that ends before it begins or is longer than a year
 */
export async function getDeliveryFigures(
  { store, now }: SeriesDeps,
  { orgId, scope, environmentId, repository, ...asked }: FigureQuery,
): Promise<DeliveryFiguresView> {
  const to = asked.to ?? now()
  const from = asked.from ?? new Date(to.getTime() - defaultDays * dayMs)
  const lengthMs = to.getTime() - from.getTime()
  if (lengthMs <= 0 || lengthMs > maxDays * dayMs) throw invalidPeriod()
  const previousFrom = new Date(from.getTime() - lengthMs)
  const rows = await store.transaction(scope, async (tx) => {
    const isThere =
      environmentId === undefined || (await findEnvironmentRow(tx, orgId, environmentId))
    if (isThere === undefined) throw notFound()
    const period = { previousFrom, from, to, environmentId, repository }
    return listFigures(tx, orgId, period, targetsMax + 1)
  })
  const targets = toTargets(rows)
  return {
    from,
    to,
    targets: targets.slice(0, targetsMax),
    hasMore: targets.length > targetsMax,
    total: pair(rows.filter((row) => row.repository === null)),
  }
}

function invalidPeriod(): Problem {
  const detail = `Use a moment before the end of the period, by ${maxDays} days at most.`
  return new Problem('invalid_query', detail, {
    errors: [{ pointer: '?from', code: 'invalid_query', detail }],
  })
}

/** Returns the rows of both periods by repository and environment, in their order. */
function toTargets(rows: readonly FigureRow[]): DeliveryFiguresView['targets'] {
  const byTarget = Map.groupBy(rows, (row) => `${row.repository} ${row.environmentId}`)
  return [...byTarget.values()].flatMap((both) => {
    const { repository = null, environmentId = null } = both[0] ?? {}
    return repository === null || environmentId === null
      ? []
      : [{ repository, environmentId, ...pair(both) }]
  })
}

function pair(rows: readonly FigureRow[]): TargetFigures {
  return {
    current: rows.find(({ isCurrent }) => isCurrent),
    previous: rows.find(({ isCurrent }) => !isCurrent),
  }
}
