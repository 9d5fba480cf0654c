import type { AnswerOf, RequestOf } from '../../api/routes.ts'
import { toDate } from '../../components/group-days.ts'
import { formatRate, toLeadTime } from './summaries.ts'

/** Describes the delivery figures of a period. */
export type DeliveryFigures = AnswerOf<'GET /organizations/{org_id}/delivery-figures'>
/** Describes the figures of a repository in an environment, or of all, with those of the period before. */
export type ComparedFigures = DeliveryFigures['total']
type Figures = ComparedFigures['previous']

export type FigureName = 'frequency' | 'leadTime' | 'failRate' | 'restore'

/** Describes one figure for people. */
export interface FigureText {
  /** Holds the value. `–`: there is nothing to count. */
  readonly value: string
  /** Adds to it. Example: `p90 9 h`. */
  readonly more: string
  /** Says what the figure counts. Example: `12 went live`. */
  readonly basis: string
  /** Holds the value of the period before; `undefined` where there was none. */
  readonly former: string | undefined
}

/** Describes what a figure means, and which deployments it is made of. */
export interface FigureMeaning {
  readonly name: FigureName
  readonly title: string
  /** Fits beside the cell of a table on a phone. */
  readonly shortTitle: string
  readonly definition: string
  readonly outcome: 'live' | 'failed'
}

/** Lists the figures in their order. */
export const figureMeanings: readonly FigureMeaning[] = [
  {
    name: 'frequency',
    title: 'Deployments per day',
    shortTitle: 'Per day',
    definition: 'Deployments that went live, divided by the days of the period.',
    outcome: 'live',
  },
  {
    name: 'leadTime',
    title: 'Lead time',
    shortTitle: 'Lead time',
    definition:
      'The median time from the first commit of a deployment until it went live. 90% don’t exceed the p90.',
    outcome: 'live',
  },
  {
    name: 'failRate',
    title: 'Change fail rate',
    shortTitle: 'Fail rate',
    definition:
      'The share of deployments that failed, were rolled back, or were replaced by a hotfix in production. Failed tests alone don’t count.',
    outcome: 'failed',
  },
  {
    name: 'restore',
    title: 'Time to restore',
    shortTitle: 'Restore',
    definition:
      'The median time from a failure until the next good deployment of the same repository and environment went live.',
    outcome: 'failed',
  },
]

const perDay = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 2 })
const none = '–'

/** Returns a figure as people read it. */
export function describeFigure(name: FigureName, figures: ComparedFigures): FigureText {
  const value = formatFigure(name, figures)
  return {
    value: value ?? none,
    ...describeBasis(name, figures),
    former: formatFigure(name, figures.previous),
  }
}

/** Returns the value of a figure; `undefined` where there is nothing to count. */
function formatFigure(name: FigureName, figures: Figures): string | undefined {
  const { deploymentsPerDay, leadTime, changeFailure, restore } = figures
  switch (name) {
    case 'frequency':
      return changeFailure.deployments === 0 ? undefined : perDay.format(deploymentsPerDay)
    case 'leadTime':
      return leadTime.medianMs === null ? undefined : toLeadTime(leadTime.medianMs)
    case 'failRate':
      return changeFailure.rate === null ? undefined : formatRate(changeFailure.rate)
    case 'restore':
      return restore.medianMs === null ? undefined : toLeadTime(restore.medianMs)
  }
}

function describeBasis(name: FigureName, figures: Figures): Pick<FigureText, 'more' | 'basis'> {
  const { deployed, leadTime, changeFailure, restore } = figures
  switch (name) {
    case 'frequency':
      return { more: '', basis: `${deployed} went live` }
    case 'leadTime':
      return {
        more: leadTime.p90Ms === null ? '' : `p90 ${toLeadTime(leadTime.p90Ms)}`,
        basis: `${leadTime.deployments} with commit data`,
      }
    case 'failRate':
      return {
        more: '',
        basis: `${changeFailure.failed} of ${changeFailure.deployments} failed or were undone`,
      }
    case 'restore':
      return {
        more: '',
        basis: `${restore.restored} restored${restore.open > 0 ? `, ${restore.open} still open` : ''}`,
      }
  }
}

const nothing: Figures = {
  deployed: 0,
  deploymentsPerDay: 0,
  leadTime: { medianMs: null, p90Ms: null, deployments: 0 },
  changeFailure: { rate: null, failed: 0, deployments: 0 },
  restore: { medianMs: null, restored: 0, open: 0 },
}

/** Returns figures that are compared with no period before. */
export function withoutPrevious(figures: DeliveryFigures): DeliveryFigures {
  return {
    ...figures,
    items: figures.items.map((item) => ({ ...item, previous: nothing })),
    total: { ...figures.total, previous: nothing },
  }
}

/** Returns the first day of a period that ends today, in the reader's time zone, and the query for its figures. */
export function toFigurePeriod(days: number, now: Date) {
  const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - (days - 1))
  type Query = NonNullable<RequestOf<'GET /organizations/{org_id}/delivery-figures'>['query']>
  const query: Query = { from: first.toISOString() }
  return { firstDay: toDate(first), query }
}
