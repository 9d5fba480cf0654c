import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { z } from 'zod'
import { scanXml } from './scan-xml.ts'
import { decodeReport } from './decode-report.ts'
import { countMarks, failureMarks, isTearDownOf, messageOf, toCase } from './junit-case.ts'
import {
  invalidReport,
  renderUnshown,
  reportLimits,
  tooManyCases,
  toSuiteFailure,
  type TestCase,
  type TestReport,
} from './test-report.ts'
import { attributesOf, childrenOf, type Element } from './xml-element.ts'

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

const suiteTags = ['testsuites', 'testsuite'] as const

/**
 * Reads a JUnit report, with the elements that Maven Surefire adds for repeated tests. Suites may stand alone or in each
 * other. What we do not use is not looked at. There is no specification: what is odd costs itself and not the report, and a failure
 * that a suite tells of, in an element or in its sums, is one of the suite where no test shows it.
 *
 * @throws {Problem} `invalid_report`
 * @see https://maven.apache.org/surefire/maven-surefire-plugin/xsd/surefire-test-report.xsd
 */
export function parseJunit(bytes: Buffer): TestReport {
  const xml = decodeReport(bytes).replace(/^\uFEFF/, '')
  const root = parseXml(scanXml(xml))
  const contents: SuiteContents = { cases: [], moments: [] }
  const top = suiteTags.filter((name) => childrenOf(root, name).length > 0)
  if (top.length === 0) {
    throw invalidReport('', 'A JUnit report begins with <testsuites> or <testsuite>.')
  }
  readSuites(root, '', '', contents)
  const { cases, moments } = contents
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

/** Reads the suites in an element; returns how many failures they show. */
function readSuites(
  element: Element,
  pointer: string,
  above: string,
  contents: SuiteContents,
): number {
  let failuresOfTests = 0
  for (const tag of suiteTags) {
    childrenOf(element, tag).forEach((inner, index) => {
      failuresOfTests += readSuite(inner, `${pointer}/${tag}[${index + 1}]`, above, contents)
    })
  }
  return failuresOfTests
}

/** Reads a suite. A failure that it states adds to its tests where none of them failed: the sums of a repeated test differ. */
function readSuite(suite: Element, pointer: string, above: string, contents: SuiteContents) {
  const { cases, moments } = contents
  const attributes = attributesOf(suite)
  const own = attributes['name'] ?? ''
  const name = [above, own].filter((part) => part !== '').join(' > ')
  const startedAt = Date.parse(attributes['timestamp'] ?? '')
  if (!Number.isNaN(startedAt)) moments.push(startedAt)
  const first = cases.length
  const failuresOfTests =
    readCases(suite, pointer, name, contents) + readSuites(suite, pointer, name, contents)
  const [failure] = failureMarks.flatMap((tag) => childrenOf(suite, tag))
  const stated = toCount(attributes['failures']) + toCount(attributes['errors'])
  const hasFailed = () => cases.slice(first).some(({ status }) => status === 'failed')
  if (failure !== undefined) cases.push(toSuiteFailure(name, messageOf(failure)))
  else if (stated > failuresOfTests && !hasFailed())
    cases.push(toSuiteFailure(name, renderUnshown(stated)))
  return Math.max(stated, failuresOfTests + (failure === undefined ? 0 : 1))
}

/** Reads the tests of a suite; returns how many failures they show. */
function readCases(suite: Element, pointer: string, name: string, { cases }: SuiteContents) {
  let failuresOfTests = 0
  childrenOf(suite, 'testcase').forEach((element, index) => {
    if (cases.length >= reportLimits.cases) throw tooManyCases(`${pointer}/testcase[${index + 1}]`)
    const testCase = toCase(element, name)
    failuresOfTests +=
      testCase.status === 'failed' ? Math.max(1, countMarks(element)) : countMarks(element)
    if (index === 0 || !isTearDownOf(cases.at(-1), element, testCase)) {
      cases.push(testCase)
    }
  })
  return failuresOfTests
}

function toCount(attribute: string | undefined): number {
  const count = Number(attribute ?? 0)
  return Number.isSafeInteger(count) && count > 0 ? count : 0
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
