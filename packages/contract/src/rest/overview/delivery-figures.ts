import { z } from 'zod/v4'
import { org, viewer } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { givenTime, id, repositoryName, time } from '../shapes.ts'

const count = z.number().int()
const milliseconds = count.nullable()

/** Describes the delivery figures of one period. Each figure has the count that it stands on, and is `null` where there is nothing to count. */
const figures = z.object({
  /** Counts the deployments that went live. */
  deployed: count,
  /** Divides them by the days of the period. */
  deploymentsPerDay: z.number(),
  /** Measures from the first commit that a deployment brought to the moment when it went live. */
  leadTime: z.object({
    medianMs: milliseconds,
    p90Ms: milliseconds,
    /** Counts the deployments whose first commit is known. Rollbacks bring none. */
    deployments: count,
  }),
  /** Tells how many deployments failed or had to be undone. */
  changeFailure: z.object({
    /** Holds the share of `failed` in `deployments`, 0 to 1. */
    rate: z.number().nullable(),
    failed: count,
    /** Counts the deployments that went live or failed. */
    deployments: count,
  }),
  /** Measures from each failure to the next deployment in its place that went live and did not fail. */
  restore: z.object({
    medianMs: milliseconds,
    /** Counts the failures that such a deployment followed. */
    restored: count,
    /** Counts the failures that none has followed yet. */
    open: count,
  }),
})

const compared = figures.extend({
  /** Holds the figures of the period of the same length before. */
  previous: figures,
})

/** Describes the delivery figures of an organization. */
export const deliveryFigures = z
  .object({
    from: time,
    to: time,
    /** Lists each repository in each environment where something ended in either period, by name. */
    items: z.array(compared.extend({ repository: z.string(), environmentId: id('env') })),
    /** Says that there are more than the 500 of `items`. `total` counts all of them. */
    hasMore: z.boolean(),
    total: compared,
  })
  .meta({ id: 'DeliveryFigures' })

export const deliveryFigureEndpoints = declareEndpoints({ tag: 'Overview' })({
  getDeliveryFigures: {
    method: 'GET',
    path: `${org}/delivery-figures`,
    summary:
      'Deployment frequency, lead time, change fail rate and time to restore, by repository and environment.',
    description:
      'The figures follow the definitions of [DORA](https://dora.dev/guides/dora-metrics/). A deployment belongs to the period in which it went live or failed. It counts as failed if its last state is `failure` or `error`, if the next deployment in its place is a rollback, or, in production, a hotfix. Failed tests alone, and a fix that rolls forward, do not count. A place is a repository and an environment as the code host names it. Deployments outside the environments of the organization are left out. A period is 366 days at most.',
    access: viewer,
    query: z.strictObject({
      /** Starts the period. Absent: 30 days before its end. */
      from: givenTime.optional(),
      /** Ends the period. Absent: now. */
      to: givenTime.optional(),
      environmentId: id('env').optional(),
      repository: repositoryName.optional(),
    }),
    response: { status: 200, body: deliveryFigures },
    topics: ['deployment', 'environment'],
  },
})
