import { z } from 'zod/v4'
import { tiers } from '../../config.ts'
import { org, viewer } from '../access.ts'
import { flagRules } from '../configs/flag-rules.ts'
import { proofStates } from '../../changes/proofs.ts'
import { requestStates } from '../../protection.ts'
import { changeSource } from '../configs/shapes.ts'
import { declareEndpoints } from '../endpoint.ts'
import { author, configValue, givenTime, id, page, pageQuery, queryFlag, time } from '../shapes.ts'
import { testRunStates } from '../test-runs/shapes.ts'

const count = z.number().int()

/** Lists the kinds of changes. `change_request` is one that is not applied, or that made no version; others are of the kind of their versions. */
export const changeKinds = [
  'deployment',
  'test_run',
  'config_version',
  'flag_flip',
  'change_request',
] as const

export type ChangeKind = (typeof changeKinds)[number]

/** Reads kinds that are separated by commas. Example: `deployment,flag_flip`. */
const kindList = z
  .string()
  .max(100)
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(changeKinds)))

/** Describes one thing that changed an environment: who did it, why, what proves it, and the way back. */
export const change = z
  .object({
    kind: z.enum(changeKinds),
    /** Holds the id of the deployment, the test run, the version or the change request. */
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
        z.object({ kind: z.literal('restore'), versionId: id('ver'), version: count }),
        z.object({ kind: z.literal('redeploy'), deploymentId: id('dep'), sha: z.string() }),
      ])
      .nullable(),
    /** Counts the test runs of a deployment, of which `proof` is the newest. `null`: it is no deployment. */
    testRuns: count.nullable(),
    /** Belongs to a deployment and its test runs. */
    deployment: z
      .object({ id: id('dep'), sha: z.string(), ref: z.string(), repository: z.string() })
      .nullable(),
    /**
     * Lists the changes of a version, with what applications read before and after it. A secret has neither. A text
     * is cut after 200 characters.
     */
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
            before: configValue.optional(),
            after: configValue.optional(),
            /** Holds the rules of a flag before, if any. */
            rulesBefore: flagRules.optional(),
            /** Holds the rules of a flag after, if any. */
            rulesAfter: flagRules.optional(),
            /** Names the segments that changed. The rules of the flag refer to them. */
            segments: z.array(z.string()).optional(),
            /** Says where the value came from before, also that of a secret. */
            sourceBefore: changeSource.optional(),
            /** Says where the value comes from after, also that of a secret. */
            sourceAfter: changeSource.optional(),
            /** Says the change of a flag in words, its rules included. Example: `off → on for 10%`. */
            text: z.string().optional(),
          }),
        ),
        /** Says how the version is watched, and how that ended. Null: it is not. */
        proof: z
          .object({
            id: id('prf'),
            state: z.enum(proofStates),
            /** Holds when it ends as proven. */
            until: time,
            /** Names the proof of a later change, which is judged first. */
            waitsFor: id('prf').nullable(),
            /** Says that tests are among its signals. */
            hasTests: z.boolean(),
            /** Says why it ended. Example: `api-errors was 4.2, above 2`. */
            reason: z.string().nullable(),
            /** Lists the versions that took the change back. Empty: none did. */
            restoredVersions: z.array(
              z.object({ environmentId: id('env'), versionId: id('ver'), version: count }),
            ),
            /** Says why something was not taken back. */
            notRestored: z.string().nullable(),
          })
          .nullable(),
      })
      .nullable(),
    /** Belongs to a change that somebody has asked for: one entry for the request and all of its versions. */
    request: z
      .object({
        id: id('chr'),
        number: count,
        title: z.string(),
        state: z.enum(requestStates),
        /** Lists all environments that it changes. */
        environmentIds: z.array(id('env')),
        /** Counts the versions that it made. `configuration` is the first of them that the filters select. */
        versions: count,
        approvedBy: z.array(z.string()),
        /** Says that it was applied without the approvals that it needs. */
        overridden: z.boolean(),
      })
      .nullable(),
  })
  .meta({ id: 'Change' })

export type Change = z.infer<typeof change>

const overviewTag = { tag: 'Overview' } as const

export const changeEndpoints = declareEndpoints(overviewTag)({
  listChanges: {
    method: 'GET',
    path: `${org}/changes`,
    summary:
      'Deployments, test runs, configuration, flags and change requests as one list, newest first.',
    access: viewer,
    agents: 'read',
    query: z.strictObject({
      ...pageQuery,
      environmentId: id('env').optional(),
      /** Selects the changes at or after a moment. */
      from: givenTime.optional(),
      /** Selects the changes before a moment. */
      before: givenTime.optional(),
      kinds: kindList.optional(),
      /** Selects deployments of a repository and their test runs by its name. Example: `acme/shop`. */
      repository: z.string().max(255).optional(),
      /** Selects the changes of a person, a key or a pipeline by its name, whatever its case. */
      author: z.string().max(255).optional(),
      /** Selects the versions and requests that change a key of this name. */
      key: z.string().max(128).optional(),
      /** Selects by a text in a commit's message, hash or branch, in the comment of a version, its schema or its keys, in the title or reason of a change request, or in the name of a test run. Reads the newest 10,000 changes of each kind in the period. */
      text: z.string().max(100).optional(),
      /** Leaves out the test runs of deployments, which their deployments count. */
      foldTests: queryFlag,
    }),
    response: { status: 200, body: page(change) },
    topics: ['deployment', 'test_run', 'configuration', 'schema', 'change_request', 'proof'],
    problems: ['invalid_cursor'],
  },
})
