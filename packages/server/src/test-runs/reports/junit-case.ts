import { attributesOf, childrenOf, textOf, type Element } from './xml-element.ts'
import {
  reportLimits,
  toCaseStatus,
  toKeptMessage,
  toKeptName,
  toKeptText,
  type CaseStatus,
  type TestCase,
} from './test-report.ts'

/** Elements that a runner that repeats tests puts below a test that passed in the end, and below one that never did. */
const flakyMarks = ['flakyFailure', 'flakyError'] as const
const rerunMarks = ['rerunFailure', 'rerunError'] as const

/** Names the elements that say that something went wrong, of a test or of a suite. */
export const failureMarks = ['failure', 'error'] as const
const skipMarks = ['skipped', 'disabled', 'ignored', 'notrun'] as const

/** Reads a `<testcase>`. One without a name is known by its class: that is what went wrong before its first test began. */
export function toCase(element: Element, above: string): TestCase {
  const attributes = attributesOf(element)
  const [failure] = allOf(element, failureMarks)
  const [skip] = allOf(element, skipMarks)
  const flakes = allOf(element, flakyMarks)
  const status = statusOf(attributes, failure !== undefined, skip !== undefined)
  const explanation = failure ?? flakes[0] ?? skip
  const suite = attributes['classname'] ?? above
  return {
    suite: toKeptText(suite, reportLimits.nameLength),
    name: toKeptName(attributes['name'], suite, above),
    status,
    durationMs: toMs(attributes['time']),
    retries: Math.min(1000, flakes.length + allOf(element, rerunMarks).length),
    flaky: status === 'passed' && flakes.length > 0,
    message: explanation === undefined ? null : messageOf(explanation),
  }
}

/** Returns how many failures the tests of an element show, those included that a repeat made good. */
export function countMarks(element: Element): number {
  return allOf(element, [...failureMarks, ...flakyMarks, ...rerunMarks]).length
}

/** Returns whether a test is only what went wrong while the one before it was torn down, which pytest writes as a test of its own. */
export function isTearDownOf(
  before: TestCase | undefined,
  element: Element,
  own: TestCase,
): boolean {
  if (before?.status !== 'failed' || before.name !== own.name || before.suite !== own.suite) {
    return false
  }
  return (
    childrenOf(element, 'failure').length === 0 &&
    childrenOf(element, 'error').some((error) => messageOf(error)?.startsWith('failed on teardown'))
  )
}

/** Returns what a failure says of itself. */
export function messageOf(element: Element): string | null {
  return toKeptMessage(attributesOf(element)['message'] || textOf(element))
}

/** The elements say it, and otherwise the attributes. `result` says how a test ended, `status` perhaps only that it ran. */
function statusOf(
  { status, result, executed, skipped }: Readonly<Record<string, string>>,
  isFailed: boolean,
  isSkipped: boolean,
): CaseStatus {
  if (isFailed) return 'failed'
  if (isSkipped || executed?.toLowerCase() === 'false' || skipped?.toLowerCase() === 'true') {
    return 'skipped'
  }
  const said = [status, result].flatMap((word) => toCaseStatus(word) ?? [])
  return said.find((one) => one === 'failed') ?? said.find((one) => one !== 'passed') ?? 'passed'
}

/** Seconds. Some tools group thousands, and some write the point of the machine's language: `1,001.5`, `0,160`, `1.001,5`. */
function toMs(seconds: string | undefined): number | null {
  if (seconds === undefined || seconds.trim() === '') return null
  const last = Math.max(seconds.lastIndexOf(','), seconds.lastIndexOf('.'))
  const isPoint = last !== -1 && seconds.indexOf(seconds.charAt(last)) === last
  const whole = (isPoint ? seconds.slice(0, last) : seconds).replaceAll(/[,.]/g, '')
  const ms = Number(isPoint ? `${whole}.${seconds.slice(last + 1)}` : whole) * 1000
  return !Number.isFinite(ms) || ms < 0 || ms > Number.MAX_SAFE_INTEGER ? null : Math.round(ms)
}

function allOf(element: Element, tags: readonly string[]): readonly Element[] {
  return tags.flatMap((tag) => childrenOf(element, tag))
}
