import { z } from 'zod/v4'
import { deploymentStates } from '../../deployment-states.ts'
import { messageStates, shownMessage } from '../notifications/messages.ts'
import { id, time } from '../shapes.ts'
import { gateDecision } from '../gates.ts'
import { deploymentTestRun, testRunStates } from '../test-runs/shapes.ts'

const codehostUser = z.object({ name: z.string(), login: z.string().nullable() })

/** Describes the source of an issue key. */
export const issueEvidence = z.object({
  source: z.enum(['commit', 'branch', 'payload', 'api']),
  sha: z.string().nullable(),
  /** Holds the line that names the key. */
  text: z.string(),
  isRevert: z.boolean(),
})

export const deploymentIssue = z
  .object({
    key: z.string(),
    /** Holds the key that a commit names, if the issue has moved since. */
    formerKey: z.string().nullable(),
    state: z.enum(['linked', 'reverted', 'not_found', 'forbidden', 'pending', 'ignored']),
    /** Explains why it is ignored or missing. */
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
    /** Says that its repository is at a code host that another one has replaced, so that nothing more comes from there. */
    isOfFormerHost: z.boolean(),
    sha: z.string(),
    ref: z.string(),
    refKind: z.enum(['branch', 'tag', 'sha']),
    /** Holds the name at the code host. */
    hostEnvironment: z.string(),
    /** Holds the id of our environment that the name maps to, if any. */
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
    /** Shows the result of its newest test run, if it is known, or of one that failed and was not run again under its name. */
    tests: z
      .object({
        runId: id('run'),
        state: z.enum(testRunStates),
        passed: z.number().int().nullable(),
        failed: z.number().int().nullable(),
        flaky: z.number().int().nullable(),
        /** Says that another deployment went live meanwhile, so that it is unknown which one was tested. */
        contaminated: z.boolean(),
      })
      .nullable(),
    /** Holds the worst state of its messages. `null`: there is none. */
    messageState: z.enum(messageStates).nullable(),
    /** Holds the time of the commit, if the code host reported it. */
    committedAt: time.nullable(),
    createdAt: time,
    startedAt: time.nullable(),
    finishedAt: time.nullable(),
  })
  .meta({ id: 'Deployment' })

/** Names the action of a button beside a step. Each client implements it. */
export const timelineAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('send_again'), notificationId: id('ntf') }),
  z.object({ kind: z.literal('settle_message'), notificationId: id('ntf') }),
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

/** Describes one step of a deployment, or why it was skipped. */
const timelineEntry = z.object({
  at: time,
  kind: z.enum([
    'created',
    'status',
    'commits',
    'issues',
    'test_run',
    'gate',
    'message',
    'config_version',
    'skipped',
  ]),
  /** Holds the state. `waiting`: it continues by itself, or after its next step. `failed` and `skipped` have a reason in `detail`. */
  state: z.enum(['done', 'running', 'waiting', 'failed', 'skipped']),
  title: z.string(),
  detail: z.string().nullable(),
  url: z.string().nullable(),
  /** Says what to do next, in one sentence; `null`: nothing. */
  nextStep: z.string().nullable(),
  /** Lists the actions that solve it with one click each. Empty: none. */
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
        /** Says that the list is incomplete. */
        truncated: z.boolean(),
      })
      .nullable(),
    commits: z.array(commit),
    /** Says in a sentence why its commits were not read, so that issues may be missing. `null`: they were, or will be. */
    commitsUnread: z.string().nullable(),
    issues: z.array(deploymentIssue),
    testRuns: z.array(deploymentTestRun),
    messages: z.array(shownMessage),
    /** Holds the previous success in its environment, which it is compared with. */
    previous: z.object({ id: id('dep'), sha: z.string() }).nullable(),
    /** Holds the deployment before it in the same repository and environment, whatever became of it. */
    older: z.object({ id: id('dep'), sha: z.string() }).nullable(),
    /** Holds the deployment after it in the same repository and environment. */
    newer: z.object({ id: id('dep'), sha: z.string() }).nullable(),
    /** Holds the page of the code host that compares it with `previous`, if there is one. */
    compareUrl: z.string().nullable(),
    /** Holds the code host's id of its repository. `null`: only pipelines report it, or no code host is connected. */
    codehostRepositoryId: z.string().nullable(),
    /** Holds the workflow whose run made the deployment. `null`: the code host didn't name it. */
    madeBy: z.object({ id: z.string(), name: z.string() }).nullable(),
    /** Holds the same workflow, if it can be started on request. */
    deployWorkflow: z.object({ id: z.string(), name: z.string() }).nullable(),
    /** Says whether any workflow of its repository can be started. */
    canRunWorkflows: z.boolean(),
    /** Lists the configuration of its environment when it went live. */
    configVersions: z.array(
      z.object({
        schemaId: id('sch'),
        /** Names the schema. `null`: it was deleted. */
        schema: z.string().nullable(),
        version: z.number().int(),
        /** Holds the id of the version. `null`: nothing was ever written there, or it is gone. */
        versionId: id('ver').nullable(),
        /** Holds the version that was live with `previous`. `null`: there was none, or it is unknown. */
        previousVersion: z.number().int().nullable(),
        previousVersionId: id('ver').nullable(),
        /** Lists the keys that changed between the two, at most a hundred. */
        changedKeys: z.array(z.string()),
      }),
    ),
    /** Says what its commit needs of its environment, as its check found it last. `null`: no definition was uploaded, or it has no environment. */
    configuration: z
      .object({
        checkId: id('chk'),
        conclusion: z.enum(['success', 'neutral', 'failure']),
        /** Lists required keys without a value. */
        missing: z.array(z.string()),
        /** Lists keys whose value its definition refuses. */
        invalid: z.array(z.string()),
        checkedAt: time,
      })
      .nullable(),
    timeline: z.array(timelineEntry),
    /** Holds what it waits or has waited for. `null`: it did not ask. */
    gate: gateDecision.nullable(),
  })
  .meta({ id: 'DeploymentDetail' })
