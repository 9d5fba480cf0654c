import { z } from 'zod/v4'
import { tiers } from '../../config.ts'
import { org, viewer } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { author, givenTime, id, page, pageQuery, time } from '../shapes.ts'
import { testRunStates } from '../test-runs/shapes.ts'

const count = z.number().int()

/** Describes one thing that changed an environment: who did it, why, what proves it, and the way back. */
export const change = z
  .object({
    kind: z.enum(['deployment', 'test_run', 'config_version', 'flag_flip']),
    /** Holds the id of the deployment, the test run or the version. */
    id: z.string(),
    at: time,
    environmentId: id('env').nullable(),
    title: z.string(),
    state: z.string().nullable(),
    author: author.nullable(),
    reason: z.object({ issueKeys: z.array(z.string()), comment: z.string().nullable() }),
    proof: z
      .object({
        runId: id('run'),
        state: z.enum(testRunStates),
        passed: count.nullable(),
        failed: count.nullable(),
      })
      .nullable(),
    wayBack: z
      .discriminatedUnion('kind', [
        z.object({ kind: z.literal('restore'), versionId: id('ver') }),
        z.object({ kind: z.literal('redeploy'), deploymentId: id('dep'), sha: z.string() }),
      ])
      .nullable(),
    /** Belongs to a deployment and its test runs. */
    deployment: z
      .object({ id: id('dep'), sha: z.string(), ref: z.string(), repository: z.string() })
      .nullable(),
    /** Lists the changes of a version. A secret's values are never shown; of a flag both are. */
    configuration: z
      .object({
        schemaId: id('sch'),
        schema: z.string(),
        version: count,
        /** Counts the changed keys. The first twenty are listed. */
        total: count,
        changes: z.array(
          z.object({
            key: z.string(),
            tier: z.enum(tiers),
            change: z.enum(['added', 'changed', 'removed']),
            before: z.boolean().optional(),
            after: z.boolean().optional(),
            /** Says the change of a flag in words, its rules included. Example: `off → on for 10 %`. */
            text: z.string().optional(),
          }),
        ),
      })
      .nullable(),
  })
  .meta({ id: 'Change' })

export type Change = z.infer<typeof change>

const overviewTag = { tag: 'Overview' } as const

/** Declares the endpoints of changes. */
export const changeEndpoints = {
  listChanges: endpoint({
    ...overviewTag,
    operationId: 'listChanges',
    method: 'GET',
    path: `${org}/changes`,
    summary: 'Deployments, test runs, configuration and flags as one list, newest first.',
    access: viewer,
    query: z.strictObject({
      ...pageQuery,
      environmentId: id('env').optional(),
      before: givenTime.optional(),
    }),
    response: { status: 200, body: page(change) },
    topics: ['deployment', 'test_run', 'configuration', 'schema'],
    problems: ['invalid_cursor'],
  }),
} as const
