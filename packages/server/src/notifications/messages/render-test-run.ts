import {
  joinTexts,
  link,
  quote,
  sign,
  strong,
  type MessageText,
  type Tone,
} from '../../providers/chat/chat-message.ts'
import {
  isFailedRun,
  type TestRunView,
  type TestState,
} from '../../read-models/notifications/deployment-view.ts'

const outcomes: Readonly<Record<TestState, readonly [Tone, string]>> = {
  planned: ['progress', 'waiting to start'],
  dispatching: ['progress', 'starting'],
  unknown: ['warning', 'unknown whether it started'],
  queued: ['progress', 'queued'],
  running: ['progress', 'running'],
  passed: ['success', 'passed'],
  failed: ['failure', 'failed'],
  errored: ['failure', 'ended without a result'],
  cancelled: ['inactive', 'cancelled'],
  timed_out: ['failure', 'timed out'],
  skipped: ['inactive', 'skipped'],
}

/** Returns a duration as people say it. Example: `850 ms`, `41 s`, `3 min 12 s`, `1 h 5 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  const seconds = Math.round(ms / 1000)
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3600),
    Math.floor((seconds % 3600) / 60),
    seconds % 60,
  ]
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`
  if (minutes === 0) return `${rest} s`
  return rest > 0 ? `${minutes} min ${rest} s` : `${minutes} min`
}

/** Returns the counts of a report; empty where no report came. Example: `118 passed, 2 failed, 1 flaky`. */
function formatCounts(run: TestRunView): string {
  const counts = [
    [run.passed, 'passed'],
    [run.failed, 'failed'],
    [run.skipped, 'skipped'],
    [run.flaky, 'flaky'],
  ] as const
  return counts
    .filter(([count, word]) => count !== null && (count > 0 || word === 'passed'))
    .map(([count, word]) => `${count} ${word}`)
    .join(', ')
}

function nameOf({ name }: TestRunView): MessageText[number] {
  const quoted = quote(name, 80)
  return quoted.text === '' ? 'Tests' : quoted
}

/** Returns whether a run was not started, or nobody knows. It is never started twice, so that a person has to. */
function isUnstarted({ state, reason, passed }: TestRunView): boolean {
  return state === 'unknown' || (state === 'errored' && reason !== null && passed === null)
}

/** Says what a run without a result lacks: its start, its results, or some of them. */
function renderError(run: TestRunView): string {
  if (isUnstarted(run)) return 'was never started'
  return run.passed === null ? outcomes.errored[1] : 'ended without all of its results'
}

/**
 * Returns the line of a run. Example: `❌ *e2e* failed · 118 passed, 2 failed · 3 min · Full results`.
 *
 * @param startUrl where a person starts a run that was not
 */
export function renderTestRun(run: TestRunView, startUrl: string | null): MessageText {
  const [tone, ended] = outcomes[run.state]
  const outcome = run.state === 'errored' ? renderError(run) : ended
  const start = run.state === 'unknown' ? 'Start it if it isn’t running' : 'Start it'
  const counts = formatCounts(run)
  const parts: MessageText[] = [
    [sign(tone), ' ', strong(nameOf(run)), ` ${outcome}`],
    ...(counts === '' ? [] : [[counts]]),
    ...(run.durationMs === null ? [] : [[formatDuration(run.durationMs)]]),
    ...(run.url === null ? [] : [[link(run.url, 'Full results')]]),
    ...(isUnstarted(run) && startUrl !== null ? [[link(startUrl, start)]] : []),
  ]
  return joinTexts(parts, ' · ')
}

/** Returns what a reader has to know before trusting the result of a run, one sentence each. */
export function renderWarnings(run: TestRunView): MessageText[] {
  return run.warnings.map((warning) => [
    sign('warning'),
    ' ',
    nameOf(run),
    ': ',
    quote(warning, 300),
  ])
}

/** Returns why a run failed, and the names of tests that did. */
export function renderFailing(run: TestRunView): MessageText[] {
  if (!isFailedRun(run.state)) return []
  const reason = run.reason === null ? [] : [['• ', quote(run.reason, 300)]]
  return [...reason, ...run.failing.map((name) => ['• ', quote(name, 200)])]
}
