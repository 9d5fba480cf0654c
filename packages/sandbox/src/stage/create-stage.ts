import type { Github } from '../github/github.ts'
import type { AutoRun, GithubRun } from '../github/state.ts'
import type { Scheduler } from '../scheduler.ts'
import { findOlder } from './choose-commit.ts'
import { createCommitMessages } from './commit-messages.ts'
import { createDeploySteps } from './deploy-steps.ts'
import type { Push, Spacing } from './push.ts'
import { scenarios, type ScenarioName } from './scenarios.ts'
import { sendReport, type PipelineVariables } from './send-report.ts'
import { createShop, type Shop } from './shop.ts'

/** Describes a small company at work: it pushes, deploys and runs tests. */
export interface Stage {
  /** Returns the repository `acme/shop`. Creates it, with two releases, when it does not exist. */
  open(): Shop
  /** Holds the address and token for test reports. `undefined`: the tests send none. It survives a reset. */
  variables: PipelineVariables | undefined
  push(request: PushRequest): Push
  /** Newest first. */
  pushes(): readonly Push[]
  reset(): void
}

/** Describes a push of the shop, and what follows it. */
export interface PushRequest {
  readonly scenario: ScenarioName
  /** Default `realistic`. */
  readonly spacing?: Spacing
  /** Replaces the messages of the scenario. A rollback has none. */
  readonly messages?: readonly string[]
}

/** Limits the pushes. The oldest ones are dropped. */
const entriesMax = 50
const testsTakeMs = 3_000
const repeatAfterMs = 1_500

/** Creates the stage without pushes. The shop is not open yet. */
export function createStage(deps: { github: Github; scheduler: Scheduler }): Stage {
  const { github, scheduler } = deps
  const { state, activity } = github
  const planned = createCommitMessages()
  let pushes: readonly Push[] = []
  let count = 0
  const open = createShop({ state, activity, autoRun: (run) => runTests(run) })

  function runTests(run: GithubRun): AutoRun {
    const push = pushes.find(({ sha }) => sha === (run.inputs['sha'] ?? run.headSha))
    const attempt = run.attempts.length
    const conclusions = push === undefined ? undefined : scenarios[push.scenario].tests
    const conclusion = conclusions?.[attempt - 1] ?? conclusions?.at(-1) ?? 'success'
    const isLast = conclusions === undefined || attempt >= conclusions.length
    const { repository, ada } = open()
    if (push !== undefined) push.tests[attempt - 1] = 'running'
    return {
      conclusion,
      durationMs: push?.spacing === 'none' ? 0 : testsTakeMs,
      async lastStep() {
        const { variables } = stage
        const report =
          variables && (await sendReport({ state, repository, run, conclusion, variables }))
        if (push === undefined) return
        push.report = report
        push.tests[attempt - 1] = conclusion
      },
      afterwards() {
        if (isLast) return
        scheduler.play([
          { afterMs: repeatAfterMs, run: () => activity.rerun(repository, run, ada) },
        ])
      },
    }
  }

  const stage: Stage = {
    open,
    variables: undefined,
    push(request) {
      const shop = open()
      const made = makePush({ github, shop, request, take: (most) => planned.take(most) })
      const push: Push = { ...made, id: (count += 1) }
      pushes = [push, ...pushes].slice(0, entriesMax)
      const environmentUrl = `${state.origin}/shop/${push.environment}`
      scheduler.play(createDeploySteps({ activity, shop, push, environmentUrl }))
      if (push.spacing === 'none') scheduler.runAll()
      return push
    },
    pushes: () => pushes,
    reset() {
      pushes = []
      planned.reset()
    },
  }
  return stage
}

interface MakePushOptions {
  readonly github: Github
  readonly shop: Shop
  readonly request: PushRequest
  readonly take: ReturnType<typeof createCommitMessages>['take']
}

function makePush({ github, shop, request, take }: MakePushOptions): Omit<Push, 'id'> {
  const { scenario, spacing = 'realistic' } = request
  const { environment, deploys } = scenarios[scenario]
  const { repository, ada: pusher } = shop
  const { activity, state } = github
  const older = findOlder(repository, environment)
  const most = deploys === 'new_commits' ? 2 : 1
  const requestedCommits = request.messages?.map((message) => ({
    message,
    modified: ['src/shop.ts'],
  }))
  const commits = deploys === 'older_commit' ? [] : (requestedCommits ?? take(most))
  const at = state.clock.now()
  const messages = commits.map(({ message }) => message)
  const common = { scenario, at, environment, messages, spacing, tests: [] }
  const rest = { ...common, deployment: undefined, report: undefined }
  if (deploys === 'older_commit') return { ...rest, ref: older, sha: older }
  const ref = deploys === 'new_commits' ? 'main' : `hotfix/${state.nextId()}`
  // The branch starts at the older commit, like one that was cut from a release.
  if (deploys === 'commit_on_older') activity.push(repository, { ref, pusher, to: older })
  const { sha } = activity.push(repository, { ref, pusher, commits })
  return { ...rest, ref, sha }
}
