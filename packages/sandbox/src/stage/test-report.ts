import type { StagedCase, StagedEnd } from '../models/code-host.ts'

const names = ['signs in', 'fills the basket', 'pays by card', 'shows the delivery date']

/** Returns the tests of the shop: all pass, or the third one fails. */
export function testCases(end: StagedEnd): StagedCase[] {
  const failing = end === 'success' ? -1 : 2
  return names.map((name, index) => ({
    name,
    seconds: (index + 1) * 0.4,
    failure: index === failing ? 'expected 200, got 402' : undefined,
  }))
}

/** Returns the JUnit XML of these tests. */
export function renderTestReport(cases: readonly StagedCase[]): string {
  const rendered = cases.map(({ name, seconds, failure }) => {
    const element =
      failure === undefined ? '' : `<failure message="${failure}">at pay.spec.ts:12</failure>`
    return `    <testcase classname="shop" name="${name}" time="${seconds}">${element}</testcase>`
  })
  const failures = cases.filter(({ failure }) => failure !== undefined).length
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${cases.length}" failures="${failures}">`,
    `  <testsuite name="shop" tests="${cases.length}" failures="${failures}" skipped="0" time="4">`,
    ...rendered,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}
