import type { GateReason, GateRule } from '@signalbox/contract/rest'
import type { DeploymentFacts, RulePosition } from './facts.ts'
import { isWindowOpen } from './freeze-window.ts'

/** Describes what a rule says of a deployment. */
export interface RuleJudgement extends Pick<GateReason, 'text' | 'nextStep'> {
  readonly isMet: boolean
  /** Says what it waits for, after *Waits for*. */
  readonly waitsFor: string
}

type RuleOf<Kind extends GateRule['rule']> = Extract<GateRule, { readonly rule: Kind }>
type Environment = NonNullable<DeploymentFacts['environment']>

/** Holds what the rules of a deployment to an environment of ours are judged by. */
export type JudgedFacts = DeploymentFacts & { readonly environment: Environment }

const hourMs = 3_600_000
const minuteMs = 60_000

/** Judges one rule of a gate by the facts of a deployment. */
export function judgeRule(
  rule: GateRule,
  facts: JudgedFacts,
  position: RulePosition,
): RuleJudgement {
  switch (rule.rule) {
    case 'configuration':
      return judgeConfiguration(facts)
    case 'tests':
      return judgeTests(rule, facts)
    case 'soak':
      return judgeSoak(rule, facts)
    case 'freeze':
      return judgeFreeze(rule, facts)
    case 'issues':
      return judgeIssues(facts)
    case 'quiet':
      return judgeQuiet(facts)
    case 'approvals':
      return judgeApprovals(rule, facts, position)
  }
}

/** Returns the first characters of a commit's hash, as people write it. */
const short = (sha: string) => sha.slice(0, 7)

const met = (text: string): RuleJudgement => ({ isMet: true, text, nextStep: null, waitsFor: '' })
const waits = (
  waitsFor: string,
  { text, nextStep = null }: { readonly text: string; readonly nextStep?: string | null },
): RuleJudgement => ({ isMet: false, text, nextStep, waitsFor })

function judgeConfiguration({ check, environment, sha }: JudgedFacts): RuleJudgement {
  const { id, name } = environment
  const waitsFor = `the configuration of ${name}`
  if (check === null) {
    return waits(waitsFor, {
      text: `No definition of ${short(sha)} was uploaded.`,
      nextStep: 'Run `signalbox check --upload` in its pipeline.',
    })
  }
  const own = check.filter(({ environmentId }) => environmentId === id)
  const missing = own.flatMap((each) => each.missing)
  const invalid = own.flatMap((each) => each.invalid)
  if (missing.length > 0) {
    return waits(waitsFor, {
      text: `${name} lacks ${listKeys(missing)}.`,
      nextStep: `Set ${missing.length === 1 ? 'its value' : 'the values'} in ${name}.`,
    })
  }
  if (invalid.length > 0) {
    return waits(waitsFor, {
      text: `The definition of ${short(sha)} refuses ${listKeys(invalid)} in ${name}.`,
      nextStep: `Correct ${invalid.length === 1 ? 'the value' : 'the values'} in ${name}.`,
    })
  }
  return met(`${name} has every value that ${short(sha)} needs.`)
}

const keysNamed = 3

function listKeys(keys: readonly string[]): string {
  const named = [...new Set(keys)]
  const more = named.length - keysNamed
  const list = named.slice(0, keysNamed).join(', ')
  return more > 0 ? `${list} and ${more} more` : list
}

function judgeTests(
  { environmentId, withinHours }: RuleOf<'tests'>,
  { nameOf, tests, sha, now }: JudgedFacts,
): RuleJudgement {
  const where = nameOf(environmentId)
  if (where === undefined) return waitsForDeleted('tests')
  const waitsFor = `tests of ${short(sha)} in ${where}`
  const own = tests.filter((each) => each.environmentId === environmentId)
  if (own.length === 0) {
    return waits(waitsFor, {
      text: `Waits for the tests of ${short(sha)} in ${where}.`,
      nextStep: `Deploy ${short(sha)} to ${where} and run its tests.`,
    })
  }
  const find = (state: (test: (typeof own)[number]) => boolean) => own.find(state)?.name
  const failed = find(({ state }) => hasFailed(state))
  if (failed !== undefined) {
    return waits(waitsFor, {
      text: `The tests “${failed}” of ${short(sha)} have not passed in ${where}.`,
      nextStep: 'Run them again once they can pass. An admin may let the deployment go on.',
    })
  }
  const running = find(({ state }) => state !== 'passed' && !hasFailed(state))
  if (running !== undefined) {
    return waits(waitsFor, {
      text: `The tests “${running}” of ${short(sha)} have not ended in ${where}.`,
    })
  }
  const doubtful = find(({ isDoubtful }) => isDoubtful)
  if (doubtful !== undefined) {
    return waits(waitsFor, {
      text: `The tests “${doubtful}” in ${where} may have tested another commit than ${short(sha)}.`,
      nextStep: `Run them again while ${short(sha)} is live in ${where}.`,
    })
  }
  const old = find(({ at }) => now.getTime() - at.getTime() > withinHours * hourMs)
  if (old !== undefined) {
    return waits(waitsFor, {
      text: `The tests “${old}” of ${short(sha)} in ${where} are older than ${count(withinHours, 'hour')}.`,
      nextStep: 'Run them again.',
    })
  }
  return met(`The tests of ${short(sha)} passed in ${where}.`)
}

const failures: ReadonlySet<string> = new Set([
  'failed',
  'errored',
  'cancelled',
  'timed_out',
  'skipped',
])

function hasFailed(state: string): boolean {
  return failures.has(state)
}

function judgeSoak(
  { environmentId, minutes }: RuleOf<'soak'>,
  { nameOf, live, sha, now }: JudgedFacts,
): RuleJudgement {
  const where = nameOf(environmentId)
  if (where === undefined) return waitsForDeleted('time')
  const own = live.filter((each) => each.environmentId === environmentId)
  const lived = own.map(({ from, to }) => (to ?? now).getTime() - from.getTime())
  if (lived.some((ms) => ms >= minutes * minuteMs)) {
    return met(`${short(sha)} has been live in ${where} for ${count(minutes, 'minute')}.`)
  }
  const waitsFor = `${short(sha)} to be live in ${where} for ${count(minutes, 'minute')}`
  const current = own.find(({ to }) => to === null)
  if (current === undefined) {
    return waits(waitsFor, {
      text: `${short(sha)} is not live in ${where}, where it has to be for ${count(minutes, 'minute')}.`,
      nextStep: `Deploy ${short(sha)} to ${where}.`,
    })
  }
  const until = new Date(current.from.getTime() + minutes * minuteMs)
  return waits(waitsFor, {
    text: `${short(sha)} has to be live in ${where} until ${formatTime(until)}.`,
  })
}

function judgeFreeze(
  { windows, exceptHotfix }: RuleOf<'freeze'>,
  { now, ref }: JudgedFacts,
): RuleJudgement {
  const open = windows.find((window) => isWindowOpen(window, now) !== false)
  if (open === undefined) return met('No window of the freeze is open.')
  if (exceptHotfix && isHotfix(ref)) return met('A freeze is open. The deployment is a hotfix.')
  if (isWindowOpen(open, now) === undefined) {
    return waits(`the time zone ${open.zone}`, {
      text: `The time zone ${open.zone} of a window is not known here.`,
      nextStep: 'Let an admin choose another one in the gate.',
    })
  }
  return waits(`the end of the freeze at ${open.to}`, {
    text: `Deployments wait until ${open.to} in ${open.zone}.`,
    nextStep: exceptHotfix ? 'A branch or tag that begins with `hotfix` goes on.' : null,
  })
}

/** Returns whether a branch or tag says by its name that it is a hotfix. */
function isHotfix(ref: string | null): boolean {
  return /^(?:refs\/(?:heads|tags)\/)?hotfix/i.test(ref ?? '')
}

function judgeIssues({ issues, sha }: JudgedFacts): RuleJudgement {
  const waitsFor = `the issues of ${short(sha)}`
  if (issues === null) {
    return waits(waitsFor, {
      text: `No deployment of ${short(sha)} is known, so its issues are not known either.`,
      nextStep: 'Report the deployment as queued before it asks, or deploy the commit elsewhere.',
    })
  }
  if (!issues.areRead)
    return waits(waitsFor, { text: `The issues of ${short(sha)} are being read.` })
  const left = issues.issues.filter(({ isDone }) => !isDone).map(({ key }) => key)
  if (left.length === 0) return met(`The issues of ${short(sha)} are done.`)
  return waits(waitsFor, {
    text: `${listKeys(left)} ${left.length === 1 ? 'is' : 'are'} not done.`,
    nextStep: 'Bring them to an end in the issue tracker.',
  })
}

function judgeQuiet({ quiet, environment }: JudgedFacts): RuleJudgement {
  const { id, name } = environment
  const own = quiet.find(({ environmentId }) => environmentId === id)
  const waitsFor = `${name} to be quiet`
  if (own !== undefined && own.watched > 0) {
    return waits(waitsFor, {
      text: `${count(own.watched, 'change')} of ${name} ${own.watched === 1 ? 'is' : 'are'} watched.`,
    })
  }
  if (own?.failedAt) {
    return waits(waitsFor, {
      text: `A change of ${name} failed at ${formatTime(own.failedAt)}.`,
      nextStep: 'Deployments go on half an hour later.',
    })
  }
  return met(`Nothing has just failed in ${name}.`)
}

function judgeApprovals(
  { count: needed }: RuleOf<'approvals'>,
  { approvals }: JudgedFacts,
  position: RulePosition,
): RuleJudgement {
  const has = approvals(position)
  if (has >= needed) return met(`${count(needed, 'person', 'people')} approved the deployment.`)
  const left = needed - has
  return waits(count(left, 'approval'), {
    text: `Waits for ${count(left, has > 0 ? 'more approval' : 'approval')}.`,
    nextStep: 'Approve the deployment on its page in Signalbox.',
  })
}

function waitsForDeleted(what: string): RuleJudgement {
  return waits(`${what} in an environment that was deleted`, {
    text: 'The environment that the rule names was deleted.',
    nextStep: 'Let an admin change the gate.',
  })
}

function count(number: number, one: string, several = `${one}s`): string {
  return `${number} ${number === 1 ? one : several}`
}

/** Returns a moment for a text that is the same whenever it is written. Example: `2026-12-01 18:00 UTC`. */
export function formatTime(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
