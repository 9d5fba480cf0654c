import type { Clock } from '../clock.ts'
import type { CodeHost, StagedCommit, StagedTests, TestCourse } from '../models/code-host.ts'
import type { Scheduler, Step } from '../scheduler.ts'
import { createCommitMessages } from './commit-messages.ts'
import { createDeploymentReports, reportReleases } from './report-deployments.ts'
import type { Push, Spacing } from './push.ts'
import { scenarios, type ScenarioName } from './scenarios.ts'
import { isShopBroken, sendReport, type PipelineVariables } from './send-report.ts'
import { openStoryIssues, toNameIssue } from './story-issues.ts'
import { testCases } from './test-report.ts'

/** Describes a small company at work: it pushes, deploys and runs tests, at whichever code host is connected. */
export interface Stage {
  /** Lists every code host. */
  readonly codeHosts: readonly CodeHost[]
  /** Opens the repository `acme/shop` at every code host, with two releases, where it does not exist. */
  open(): void
  /** Lists the code hosts that take part and that a product is connected to; before that, all of them. */
  hosts(): readonly CodeHost[]
  /** Chooses what takes part. It survives a reset. */
  setCast(cast: Cast): void
  /** Holds the address and token for test reports. `undefined`: the tests send none. It survives a reset. */
  variables: PipelineVariables | undefined
  /** @throws {RangeError} The stage has no such code host. */
  push(request: PushRequest): Push
  /** Reports the releases of the hosts that have no deployments, as their pipelines would have. Needs a token in `variables`. */
  reportReleases(): Promise<void>
  /** Newest first. */
  pushes(): readonly Push[]
  reset(): void
}

/** Describes what takes part in the story. */
export interface Cast {
  /** Names the code hosts that are pushed to. `undefined`: all of them. */
  readonly codeHosts: readonly string[] | undefined
  /** Names the code host whose issues the commits name. `undefined`: they name those of the seeded trackers. */
  readonly issuesAt: string | undefined
}

/** Describes a push of the shop, and what follows it. */
export interface PushRequest {
  readonly scenario: ScenarioName
  /** Names the code host. Default: the first that is connected, or else the first. */
  readonly host?: string
  /** Default `realistic`. */
  readonly spacing?: Spacing
  /** Replaces the messages of the scenario. A rollback has none. */
  readonly messages?: readonly string[]
}

/** Holds what the stage needs. */
export interface StageDeps {
  /** Lists the code hosts. The first is pushed to when none is connected. */
  readonly codeHosts: readonly CodeHost[]
  readonly scheduler: Scheduler
  readonly clock: Clock
  /** Returns the sandbox's own address, where the deployed shop is. */
  readonly origin: () => string
}

/** Limits the pushes. The oldest ones are dropped. */
const entriesMax = 50
const testsTakeMs = 3_000
const repeatAfterMs = 1_500

/** Creates the stage without pushes. The shop is not open yet. */
export function createStage({ codeHosts, scheduler, clock, origin }: StageDeps): Stage {
  const planned = createCommitMessages()
  let pushes: readonly Push[] = []
  let count = 0
  let cast: Cast = { codeHosts: undefined, issuesAt: undefined }

  const runTests = (tests: StagedTests) =>
    planTests(tests, {
      push: pushes.find(({ sha }) => sha === tests.sha),
      scheduler,
      variables: () => stage.variables,
    })

  const openIssueHost = () => {
    const host = codeHosts.find(({ name }) => name === cast.issuesAt)
    host?.open(runTests)
    if (host !== undefined) openStoryIssues(host)
    return host
  }

  const stage: Stage = {
    codeHosts,
    open() {
      for (const host of codeHosts) host.open(runTests)
    },
    hosts() {
      const { codeHosts: names } = cast
      const own = codeHosts.filter(({ name }) => names?.includes(name) ?? true)
      const connected = own.filter((host) => host.isConnected())
      return connected.length > 0 ? connected : own
    },
    setCast(next) {
      cast = next
      openIssueHost()
    },
    variables: undefined,
    push(request) {
      const host = chooseHost(codeHosts, stage.hosts(), request.host)
      host.open(runTests)
      count += 1
      const push = makePush({
        id: count,
        host,
        at: clock.now(),
        origin: origin(),
        request,
        take: (most) => planned.take(most, toNameIssue(openIssueHost(), host)),
        variables: () => stage.variables,
      })
      pushes = [push, ...pushes].slice(0, entriesMax)
      scheduler.play(createDeploySteps(push))
      if (push.spacing === 'none') scheduler.runAll()
      return push
    },
    reportReleases: () => reportReleases(stage.hosts(), origin(), stage.variables),
    pushes: () => pushes,
    reset() {
      pushes = []
      planned.reset()
    },
  }
  return stage
}

interface PlanTestsOptions {
  /** Holds the push that is tested. `undefined`: the stage did not make it, or has dropped it. */
  readonly push: Push | undefined
  readonly scheduler: Scheduler
  readonly variables: () => PipelineVariables | undefined
}

function planTests(
  tests: StagedTests,
  { push, scheduler, variables }: PlanTestsOptions,
): TestCourse {
  const { attempt, testRunId, configVersion, issueToken } = tests
  const ends = push === undefined ? undefined : scenarios[push.scenario].tests
  let end = ends?.[attempt - 1] ?? ends?.at(-1) ?? 'success'
  const isLast = ends === undefined || attempt >= ends.length
  if (push !== undefined) push.tests[attempt - 1] = 'running'
  return {
    get end() {
      return end
    },
    durationMs: push?.spacing === 'none' ? 0 : testsTakeMs,
    get cases() {
      return testCases(end)
    },
    async lastStep() {
      const to = variables()
      if (configVersion !== undefined && to && (await isShopBroken(to))) end = 'failure'
      const cases = testCases(end)
      const report =
        issueToken && to && (await sendReport({ testRunId, issueToken, cases, variables: to }))
      if (push === undefined) return
      push.report = report
      push.tests[attempt - 1] = end
    },
    afterwards() {
      if (isLast) return
      scheduler.play([{ afterMs: repeatAfterMs, run: () => tests.rerun() }])
    },
  }
}

function chooseHost(
  all: readonly CodeHost[],
  usual: readonly CodeHost[],
  name: string | undefined,
): CodeHost {
  const host = name === undefined ? usual[0] : all.find((one) => one.name === name)
  if (host !== undefined) return host
  const known = all.map((one) => one.name).join(', ')
  throw new RangeError(`There is no code host ${name}. Known code hosts: ${known}.`)
}

interface MakePushOptions {
  readonly id: number
  readonly host: CodeHost
  readonly at: Date
  readonly origin: string
  readonly request: PushRequest
  readonly take: (most: number) => StagedCommit[]
  readonly variables: () => PipelineVariables | undefined
}

function makePush({ id, host, at, origin, request, take, variables }: MakePushOptions): Push {
  const { scenario, spacing = 'realistic' } = request
  const { environment, deploys } = scenarios[scenario]
  const older = host.findOlder(environment)
  const most = deploys === 'new_commits' ? 2 : 1
  const requestedCommits = request.messages?.map((message) => ({
    message,
    modified: ['src/shop.ts'],
  }))
  const commits = deploys === 'older_commit' ? [] : (requestedCommits ?? take(most))
  const messages = commits.map(({ message }) => message)
  const isPushed = messages.length > 0
  const branch = deploys === 'commit_on_older' ? `hotfix/${id}` : 'main'
  // The branch starts at the older commit, like one that was cut from a release.
  if (deploys === 'commit_on_older') host.push(branch, { to: older })
  const sha = isPushed ? host.push(branch, { commits }) : older
  const ref = isPushed ? branch : older
  const environmentUrl = `${origin}/shop/${environment}`
  const report = createDeploymentReports(
    {
      externalId: `push-${at.getTime()}-${id}`,
      sha,
      ref,
      environment,
      url: environmentUrl,
      commitMessages: messages,
    },
    variables,
  )
  const deployment = host.begin({ ref, sha, isPushed, environment, environmentUrl, report })
  const rest = { environment, messages, spacing, tests: [], report: undefined }
  return { id, host: host.name, scenario, at, ref, sha, deployment, ...rest }
}

/** Returns the steps of a pipeline after a push, with realistic delays: the run, the deployment, and its states. */
function createDeploySteps({ deployment, scenario }: Push): Step[] {
  const { ends } = scenarios[scenario]
  return [
    { afterMs: 400, run: () => deployment.requestRun() },
    { afterMs: 600, run: () => deployment.startRun() },
    { afterMs: 500, run: () => deployment.create() },
    { afterMs: 100, run: () => deployment.setState('pending', 'Waiting for a runner') },
    { afterMs: 900, run: () => deployment.setState('in_progress', 'Rolling out') },
    {
      afterMs: 2_500,
      run: () =>
        deployment.setState(ends, ends === 'success' ? 'Live' : 'The new version never responded'),
    },
    { afterMs: 300, run: () => deployment.finishRun(ends) },
  ]
}
