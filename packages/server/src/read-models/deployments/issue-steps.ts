import type { DeploymentView, ViewedIssue } from './get-deployment.ts'
import { noProjectReason } from '../../deployments/issues/record-issues.ts'
import { untrackedReason } from '../../deployments/issues/issue-keys.ts'
import { noTrackerReason } from '../../deployments/issues/list-uncounted-keys.ts'
import { choiceOfKind, displayNameOfKind } from '../../providers/find-provider.ts'
import { grammarOf } from '../../providers/issue-keys/issue-grammars.ts'
import { step, type TimedStep } from './timed-step.ts'

/** Returns the steps of the issue keys: how many are linked, and each that is not, with its reason. */
export function issueSteps(view: DeploymentView): TimedStep[] {
  const { deployment, issues } = view
  const sinceOf = ({ stateSince }: ViewedIssue) =>
    stateSince ?? deployment.finishedAt ?? deployment.createdAt
  const at = latest(issues.filter(({ fetchedAt }) => fetchedAt !== null).map(sinceOf))
  const counting = issues.filter(({ state }) => state !== 'ignored').length
  const linked = issues.filter(({ state }) => state === 'linked').length
  const waiting = issues.filter(({ cause }) => cause === 'no_tracker')
  const left = issues.filter((issue) => issue.state !== 'linked' && !waiting.includes(issue))
  const title = `${linked} of ${counting} ${counting === 1 ? 'issue' : 'issues'} linked`
  const linkedSteps =
    at === undefined ? [] : [step({ at, kind: 'issues', state: 'done', title, detail: null })]
  return [
    ...linkedSteps,
    ...left.map((issue) => leftStep(view, issue, sinceOf(issue))),
    ...waitingSteps(waiting, deployment.createdAt),
  ]
}

const namedMax = 5

/** Without a tracker every key waits for the same thing: one step says so. */
function waitingSteps(waiting: readonly ViewedIssue[], at: Date): TimedStep[] {
  const [only, ...others] = waiting
  if (only === undefined) return []
  const count = waiting.length
  const named = waiting.slice(0, namedMax).map(({ key }) => key)
  const more = count > namedMax ? [`and ${count - namedMax} more`] : []
  return [
    step({
      at,
      kind: 'skipped',
      state: 'skipped',
      title: count === 1 ? `${only.key} is not looked up` : `${count} keys are not looked up`,
      detail: [
        ...(others.length === 0 ? [] : [`${[...named, ...more].join(', ')}.`]),
        noTrackerReason,
      ].join(' '),
      nextStep: `Connect ${choiceOfKind('tracker')}: Signalbox then looks them up.`,
      actions: [{ kind: 'connect', integration: 'tracker' }],
    }),
  ]
}

function leftStep({ ground }: DeploymentView, issue: ViewedIssue, at: Date): TimedStep {
  const { key, state, reason } = issue
  const grammar = grammarOf(ground.tracker ?? undefined)
  const common = { at, kind: 'skipped', title: `${key} is ${state.replace('_', ' ')}` } as const
  const skipped = { ...common, state: 'skipped', detail: reason, subjectId: key } as const
  switch (state) {
    case 'pending':
      return ground.isTrackerConnected
        ? step({ ...skipped, state: 'waiting' })
        : step({
            ...skipped,
            detail: reason ?? noTrackerReason,
            nextStep: `Connect ${choiceOfKind('tracker')}: Signalbox then looks it up.`,
            actions: [{ kind: 'connect', integration: 'tracker' }],
          })
    case 'forbidden':
      return step({
        ...skipped,
        state: 'failed',
        nextStep: `Let the person who connected ${displayNameOfKind('tracker', ground.tracker)} see the issue, or connect it as somebody who can see it.`,
        actions: [{ kind: 'connect', integration: 'tracker' }],
      })
    case 'ignored':
      return reason === untrackedReason({ grammar })
        ? step({
            ...skipped,
            nextStep: `Track its ${grammar.container}.`,
            actions: [{ kind: 'track_project', projectKey: grammar.containerOf(key) }],
          })
        : step(skipped)
    case 'not_found':
      return step({
        ...skipped,
        nextStep:
          reason === noProjectReason
            ? null
            : 'Check the key in the commit, and who may see the issue.',
      })
    case 'reverted':
    case 'linked':
      return step(skipped)
  }
}

function latest(moments: readonly Date[]): Date | undefined {
  return moments.toSorted((a, b) => b.getTime() - a.getTime())[0]
}
