import { z } from 'zod'
import { deploymentStates } from '../../deployment-states.ts'
import { messageStates, shownMessage } from '../notifications/messages.ts'
import { id, time } from '../shapes.ts'
import { deploymentTestRun, testRunStates } from '../test-runs/shapes.ts'

const codehostUser = z.object({ name: z.string(), login: z.string().nullable() })

/** Describes where an issue key was read. */
export const issueEvidence = z.object({
  source: z.enum(['commit', 'branch', 'payload', 'api']),
  sha: z.string().nullable(),
  /** The line that names the key. */
  text: z.string(),
  isRevert: z.boolean(),
})

/** Describes an issue that a deployment brings. */
export const deploymentIssue = z
  .object({
    key: z.string(),
    /** The key that a commit names, where the issue has moved since. */
    formerKey: z.string().nullable(),
    state: z.enum(['linked', 'reverted', 'not_found', 'forbidden', 'pending', 'ignored']),
    /** Why it is ignored or not there. */
    reason: z.string().nullable(),
    title: z.string().nullable(),
    type: z.string().nullable(),
    status: z.string().nullable(),
    statusCategory: z.enum(['new', 'indeterminate', 'done']).nullable(),
    assignee: z.string().nullable(),
    priority: z.string().nullable(),
    url: z.string().nullable(),
    evidence: z.array(issueEvidence),
  })
  .meta({ id: 'DeploymentIssue' })

/** Describes a deployment with its states. */
export const deployment = z
  .object({
    id: id('dep'),
    externalId: z.string().nullable(),
    repository: z.string(),
    sha: z.string(),
    ref: z.string(),
    refKind: z.enum(['branch', 'tag', 'sha']),
    /** The name that the code host uses. */
    hostEnvironment: z.string(),
    /** Ours, where the name is mapped to one. */
    environmentId: id('env').nullable(),
    state: z.enum(deploymentStates),
    description: z.string().nullable(),
    creator: codehostUser.nullable(),
    url: z.string().nullable(),
    logUrl: z.string().nullable(),
    commitMessage: z.string().nullable(),
    /** Compares it with the last successful deployment there. */
    relation: z.enum(['first', 'forward', 'rollback', 'hotfix', 'same', 'unknown']),
    issueKeys: z.array(z.string()),
    testState: z.enum(testRunStates).nullable(),
    /** Shows the result of its newest test run, as far as it is known. */
    tests: z
      .object({
        runId: id('run'),
        state: z.enum(testRunStates),
        passed: z.number().int().nullable(),
        failed: z.number().int().nullable(),
        flaky: z.number().int().nullable(),
        /** True when another deployment went live meanwhile: what was tested is not known. */
        contaminated: z.boolean(),
      })
      .nullable(),
    /** Of its messages, the state of the one that is worst off. `null`: there is none. */
    messageState: z.enum(messageStates).nullable(),
    /** When the commit was made, where the code host told. */
    committedAt: time.nullable(),
    createdAt: time,
    startedAt: time.nullable(),
    finishedAt: time.nullable(),
  })
  .meta({ id: 'Deployment' })

/** Names the action of a button beside a step; each client knows how to do it. */
export const timelineAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('send_again'), notificationId: id('ntf') }),
  z.object({ kind: z.literal('choose_channel'), routeId: z.string().nullable() }),
  z.object({ kind: z.literal('connect'), integration: z.enum(['codehost', 'tracker', 'chat']) }),
  z.object({ kind: z.literal('track_project'), projectKey: z.string() }),
  z.object({ kind: z.literal('choose_workflow') }),
  z.object({ kind: z.literal('run_workflow'), ref: z.string() }),
  z.object({ kind: z.literal('sync') }),
])

export type TimelineAction = z.infer<typeof timelineAction>

const commit = z.object({
  sha: z.string(),
  message: z.string(),
  author: codehostUser.nullable(),
  at: time.nullable(),
  url: z.string().nullable(),
})

/** One line of what happened to a deployment, or was left out and why. */
const timelineEntry = z.object({
  at: time,
  kind: z.enum([
    'created',
    'status',
    'commits',
    'issues',
    'test_run',
    'message',
    'config_version',
    'skipped',
  ]),
  /** `waiting`: it goes on by itself. `failed` and `skipped` have a reason in `detail`. */
  state: z.enum(['done', 'running', 'waiting', 'failed', 'skipped']),
  title: z.string(),
  detail: z.string().nullable(),
  url: z.string().nullable(),
  /** Says what to do next, in one sentence; `null`: nothing. */
  nextStep: z.string().nullable(),
  /** Lists the actions that do it with one click each; empty: there is none. */
  actions: z.array(timelineAction),
  /** Names its subject: a test run, a notification. */
  subjectId: z.string().nullable(),
})

/** Describes a deployment with its commits, issues, test runs and messages. */
export const deploymentDetail = deployment
  .extend({
    range: z
      .object({
        base: z.string().nullable(),
        head: z.string(),
        status: z.enum(['ahead', 'behind', 'diverged', 'identical']).nullable(),
        total: z.number().int(),
        /** True when there are more than are shown. */
        truncated: z.boolean(),
      })
      .nullable(),
    commits: z.array(commit),
    issues: z.array(deploymentIssue),
    testRuns: z.array(deploymentTestRun),
    messages: z.array(shownMessage),
    /** The success before it in its environment, which it is compared with. */
    previous: z.object({ id: id('dep'), sha: z.string() }).nullable(),
    /** The configuration that its environment had when it went live. */
    configVersions: z.array(
      z.object({
        schemaId: id('sch'),
        /** `null`: the schema is gone. */
        schema: z.string().nullable(),
        version: z.number().int(),
        /** For reading and comparing; `null`: nothing was ever written there, or it is gone. */
        versionId: id('ver').nullable(),
        /** Names the version that was live there with `previous`; `null`: there was none, or it is not known. */
        previousVersion: z.number().int().nullable(),
        previousVersionId: id('ver').nullable(),
        /** Names of what was written between the two; the first hundred. */
        changedKeys: z.array(z.string()),
      }),
    ),
    timeline: z.array(timelineEntry),
  })
  .meta({ id: 'DeploymentDetail' })
