import type { ShownIssueRow } from './detail-rows.ts'
import type { DeploymentView } from './get-deployment.ts'
import { noProjectReason } from './record-issues.ts'
import { untrackedReason } from './issue-keys.ts'
import { step, type TimedStep } from './timed-step.ts'

/** What became of the issue keys: how many are linked, and each that is not, with its reason. */
export function issueSteps(view: DeploymentView): TimedStep[] {
  const { deployment, issues } = view
  const at = latest(issues.flatMap(({ fetchedAt }) => fetchedAt ?? []))
  const left = issues.filter(({ state }) => state !== 'linked')
  const linked = issues.length - left.length
  const title = `${linked} of ${issues.length} ${issues.length === 1 ? 'issue' : 'issues'} linked`
  const found =
    at === undefined ? [] : [step({ at, kind: 'issues', state: 'done', title, detail: null })]
  return [
    ...found,
    ...left.map((issue) => leftStep(view, issue, issue.askedAt ?? at ?? deployment.createdAt)),
  ]
}

function leftStep({ ground }: DeploymentView, issue: ShownIssueRow, at: Date): TimedStep {
  const { key, state, reason } = issue
  const common = { at, kind: 'skipped', title: `${key} is ${state.replace('_', ' ')}` } as const
  const told = { ...common, state: 'skipped', detail: reason, subjectId: key } as const
  switch (state) {
    case 'pending':
      return ground.isTrackerConnected
        ? step({ ...told, state: 'waiting' })
        : step({
            ...told,
            detail: reason ?? 'No issue tracker is connected.',
            nextStep: 'Connect the issue tracker: the key is looked up then.',
            actions: [{ kind: 'connect', integration: 'tracker' }],
          })
    case 'forbidden':
      return step({
        ...told,
        state: 'failed',
        nextStep:
          'Let whoever connected the tracker see the issue, or connect it as somebody who does.',
        actions: [{ kind: 'connect', integration: 'tracker' }],
      })
    case 'ignored':
      return reason === untrackedReason
        ? step({
            ...told,
            nextStep: 'Track its project.',
            actions: [{ kind: 'track_project', projectKey: key.slice(0, key.lastIndexOf('-')) }],
          })
        : step(told)
    case 'not_found':
      return step({
        ...told,
        nextStep:
          reason === noProjectReason
            ? null
            : 'Check the key in the commit, or who may see the issue.',
      })
    case 'reverted':
    case 'linked':
      return step(told)
  }
}

function latest(moments: readonly Date[]): Date | undefined {
  return moments.toSorted((a, b) => b.getTime() - a.getTime())[0]
}
