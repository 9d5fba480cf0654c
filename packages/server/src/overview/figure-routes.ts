import { deliveryFigureEndpoints as endpoints, type ResponseOf } from '@signalbox/contract/rest'
import type { Router } from '../http/router.ts'
import type { FigureRow } from '../read-models/overview/delivery-figure-rows.ts'
import {
  getDeliveryFigures,
  type DeliveryFiguresView,
  type TargetFigures,
} from './get-delivery-figures.ts'
import type { SeriesDeps } from './get-series.ts'

type DeliveryFigures = ResponseOf<typeof endpoints.getDeliveryFigures>
type Figures = DeliveryFigures['total']['previous']

/** Mounts the delivery figures. */
export function mountFigures(router: Router, deps: SeriesDeps): void {
  router.add(endpoints.getDeliveryFigures, {
    handle: ({ organization, scope, query: { from, to, environmentId, repository } }) =>
      getDeliveryFigures(deps, {
        orgId: organization.id,
        scope,
        from: from === undefined ? undefined : new Date(from),
        to: to === undefined ? undefined : new Date(to),
        environmentId,
        repository,
      }),
    present: presentFigures,
  })
}

function presentFigures({
  from,
  to,
  targets,
  hasMore,
  total,
}: DeliveryFiguresView): DeliveryFigures {
  const days = (to.getTime() - from.getTime()) / 86_400_000
  const present = ({ current, previous }: TargetFigures) => {
    return { ...presentOne(days, current), previous: presentOne(days, previous) }
  }
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    items: targets.map((target) => {
      const { repository, environmentId } = target
      return { repository, environmentId, ...present(target) }
    }),
    hasMore,
    total: present(total),
  }
}

type Measures = Omit<FigureRow, 'repository' | 'environmentId' | 'isCurrent'>

/** The measures of a period in which nothing ended. */
const nothing: Measures = {
  deployed: 0,
  deployments: 0,
  failed: 0,
  led: 0,
  medianLeadMs: null,
  p90LeadMs: null,
  restored: 0,
  medianRestoreMs: null,
}

function presentOne(days: number, measures: Measures = nothing): Figures {
  const { deployed, deployments, failed, led, restored } = measures
  const { medianLeadMs, p90LeadMs, medianRestoreMs } = measures
  return {
    deployed,
    deploymentsPerDay: deployed / days,
    leadTime: { medianMs: medianLeadMs, p90Ms: p90LeadMs, deployments: led },
    changeFailure: {
      rate: deployments === 0 ? null : failed / deployments,
      failed,
      deployments,
    },
    restore: { medianMs: medianRestoreMs, restored, open: failed - restored },
  }
}
