import { isFailedRun, type TestRunView, type TestState } from './deployment-view.ts'
import { linkTo, quoteText } from './message-text.ts'

const words: Readonly<Record<TestState, string>> = {
  planned: '⏳ waiting to start',
  dispatching: '⏳ starting',
  unknown: '⚠️ nobody knows whether it started',
  queued: '⏳ queued',
  running: '⏳ running',
  passed: '✅ passed',
  failed: '❌ failed',
  errored: '❌ broke off',
  cancelled: '⚪ cancelled',
  timed_out: '❌ timed out',
  skipped: '⚪ skipped',
}

/** Example: `850 ms`, `41 s`, `3 min 12 s`, `1 h 5 min`. */
export function renderDuration(ms: number): string {
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

/** Example: `118 passed, 2 failed, 1 flaky`. Nothing where no report came. */
function renderCounts(run: TestRunView): string {
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

/** One line. Example: `❌ *e2e* failed · 118 passed, 2 failed · 3 min · Full results`. */
export function renderTestRun(run: TestRunView): string {
  const [sign = '', ...rest] = words[run.state].split(' ')
  const parts = [
    `${sign} *${quoteText(run.name, 80) || 'Tests'}* ${rest.join(' ')}`,
    renderCounts(run),
    run.durationMs === null ? '' : renderDuration(run.durationMs),
    run.url === null ? '' : linkTo(run.url, 'Full results'),
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

/** What a reader has to know before trusting the result of a run, one sentence each. */
export function renderWarnings(run: TestRunView): string[] {
  const name = quoteText(run.name, 80) || 'Tests'
  return run.warnings.map((warning) => `⚠️ ${name}: ${quoteText(warning, 300)}`)
}

/** The names of tests that failed. */
export function renderFailing(run: TestRunView): string[] {
  if (!isFailedRun(run.state)) return []
  const reason = run.reason === null ? [] : [`• ${quoteText(run.reason, 300)}`]
  return [...reason, ...run.failing.map((name) => `• ${quoteText(name, 200)}`)]
}
