import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { z } from 'zod'
import { scanXml } from './scan-xml.ts'
import {
  decodeReport,
  invalidReport,
  reportLimits,
  toKeptMessage,
  toKeptText,
  tooManyCases,
  type CaseStatus,
  type TestCase,
  type TestReport,
} from './test-report.ts'
import { unescapeXml } from './unescape-xml.ts'

/** Every element is a list of `{ '@': attributes, '#text', …children }`. */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributesGroupName: '@',
  attributeNamePrefix: '',
  parseTagValue: false,
  trimValues: false,
  parseAttributeValue: false,
  processEntities: false,
  htmlEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  removeNSPrefix: true,
  jPath: false,
  alwaysCreateTextNode: true,
  maxNestedTags: reportLimits.depth + 1,
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
})

const attributes = z.record(z.string(), z.string())
const elements = z.array(z.record(z.string(), z.unknown()))

type Element = Readonly<Record<string, unknown>>

/** Elements that a runner that repeats tests puts below a test that passed in the end, and below one that never did. */
const flakyMarks = ['flakyFailure', 'flakyError'] as const
const rerunMarks = ['rerunFailure', 'rerunError'] as const

/**
 * Reads a JUnit report, with the elements that Maven Surefire adds for repeated tests. Suites may stand alone or in each
 * other. What we do not use is not looked at.
 *
 * @throws {Problem} `invalid_report`
 * @see https://maven.apache.org/surefire/maven-surefire-plugin/xsd/surefire-test-report.xsd
 */
export function parseJunit(bytes: Buffer): TestReport {
  const xml = decodeReport(bytes).replace(/^\uFEFF/, '')
  scanXml(xml)
  const root = parseXml(xml)
  const cases: TestCase[] = []
  const moments: number[] = []
  const top = ['testsuites', 'testsuite'].filter((name) => childrenOf(root, name).length > 0)
  if (top.length === 0) {
    throw invalidReport('', 'A JUnit report begins with <testsuites> or <testsuite>.')
  }
  for (const name of top) {
    childrenOf(root, name).forEach((suite, index) =>
      readSuite(suite, `/${name}[${index + 1}]`, '', { cases, moments }),
    )
  }
  return { format: 'junit', cases, shard: null, ...toSpan(moments, cases) }
}

function parseXml(xml: string): Element {
  const checked = XMLValidator.validate(xml, { allowBooleanAttributes: false })
  if (checked !== true) {
    const { line, col } = checked.err
    throw invalidReport('', `The report is not well-formed XML (line ${line}, column ${col}).`)
  }
  try {
    return z.record(z.string(), z.unknown()).parse(parser.parse(xml))
  } catch {
    throw invalidReport('', 'The report has names or nesting that no JUnit report has.')
  }
}

interface SuiteContents {
  readonly cases: TestCase[]
  readonly moments: number[]
}

function readSuite(suite: Element, pointer: string, above: string, contents: SuiteContents): void {
  const attributes = attributesOf(suite)
  const own = attributes['name'] ?? ''
  const name = [above, own].filter((part) => part !== '').join(' > ')
  const startedAt = Date.parse(attributes['timestamp'] ?? '')
  if (!Number.isNaN(startedAt)) contents.moments.push(startedAt)
  childrenOf(suite, 'testcase').forEach((element, index) => {
    const at = `${pointer}/testcase[${index + 1}]`
    if (contents.cases.length >= reportLimits.cases) throw tooManyCases(at)
    contents.cases.push(toCase(element, at, name))
  })
  for (const tag of ['testsuite', 'testsuites']) {
    childrenOf(suite, tag).forEach((inner, index) =>
      readSuite(inner, `${pointer}/${tag}[${index + 1}]`, name, contents),
    )
  }
}

function toCase(element: Element, pointer: string, above: string): TestCase {
  const attributes = attributesOf(element)
  const name = toKeptText(attributes['name'] ?? '', reportLimits.nameLength)
  if (name === '') throw invalidReport(`${pointer}/@name`, 'A testcase has no name.')
  const count = (tags: readonly string[]) =>
    tags.reduce((total, tag) => total + childrenOf(element, tag).length, 0)
  const [failure] = [...childrenOf(element, 'failure'), ...childrenOf(element, 'error')]
  const [flake] = flakyMarks.flatMap((tag) => childrenOf(element, tag))
  const flakes = count(flakyMarks)
  const isSkipped = childrenOf(element, 'skipped').length > 0
  const status = statusOf(failure !== undefined, isSkipped)
  const explanation = failure ?? flake ?? childrenOf(element, 'skipped')[0]
  return {
    suite: toKeptText(attributes['classname'] ?? above, reportLimits.nameLength),
    name,
    status,
    durationMs: toMs(attributes['time']),
    retries: Math.min(1000, flakes + count(rerunMarks)),
    flaky: status === 'passed' && flakes > 0,
    message: explanation === undefined ? null : messageOf(explanation),
  }
}

function statusOf(isFailed: boolean, isSkipped: boolean): CaseStatus {
  if (isFailed) return 'failed'
  return isSkipped ? 'skipped' : 'passed'
}

function messageOf(element: Element): string | null {
  const message = attributesOf(element)['message']
  const text = element['#text']
  return toKeptMessage(message || (typeof text === 'string' ? unescapeStart(text) : ''))
}

/** The longest entity has ten characters: no more is looked at than may be kept. */
function unescapeStart(text: string): string {
  return unescapeXml(text.slice(0, reportLimits.messageLength * 10))
}

/** Seconds with a point; some tools write thousands with a comma. */
function toMs(seconds: string | undefined): number | null {
  const ms = Number((seconds ?? '').replaceAll(',', '')) * 1000
  return seconds === undefined || !Number.isFinite(ms) || ms < 0 || ms > Number.MAX_SAFE_INTEGER
    ? null
    : Math.round(ms)
}

/** The suites say when they began, and their tests how long they took. */
function toSpan(moments: readonly number[], cases: readonly TestCase[]) {
  if (moments.length === 0) return { startedAt: null, finishedAt: null }
  const start = moments.reduce((least, moment) => Math.min(least, moment))
  const total = cases.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0)
  const end = start + total
  const isMoment = start >= 0 && end < 8.64e15
  return isMoment
    ? { startedAt: new Date(start), finishedAt: new Date(end) }
    : { startedAt: null, finishedAt: null }
}

function childrenOf(element: Element, tag: string): readonly Element[] {
  const parsed = Object.hasOwn(element, tag) ? elements.safeParse(element[tag]) : undefined
  return parsed?.success === true ? parsed.data : []
}

function attributesOf(element: Element): Readonly<Record<string, string>> {
  const parsed = attributes.safeParse(element['@'])
  if (!parsed.success) return {}
  return Object.fromEntries(
    Object.entries(parsed.data).map(([name, value]) => [name, unescapeStart(value)]),
  )
}
