import { Problem } from '@signalbox/contract'
import fc from 'fast-check'
import { toKeptText } from './test-report.ts'
import { describe, expect, it } from 'vitest'
import { parseReport } from './parse-report.ts'
import { summarizeReport } from './summarize-report.ts'

const xml = (text: string) => parseReport('application/xml; charset=utf-8', Buffer.from(text))
const json = (value: unknown) => parseReport('application/json', Buffer.from(JSON.stringify(value)))

/** Returns the rejection of a report; one of another kind is a bug. */
function attempt(work: () => unknown): Problem | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_report') return error
    throw error
  }
}

function rejection(work: () => unknown): { pointer: string; detail: string } {
  const problem = attempt(work)
  expect(problem?.errors).toHaveLength(1)
  return { pointer: problem?.errors?.[0]?.pointer ?? '-', detail: problem?.message ?? '' }
}

describe('a CTRF report', () => {
  const test = { name: 'pays', status: 'passed', duration: 12.4 }
  const ctrf = (tests: unknown, more = {}) => ({ results: { tool: { name: 't' }, tests, ...more } })

  it('is read with what it leaves out and what we do not know', () => {
    const { cases, shard, startedAt } = json(
      ctrf([test, { ...test, status: 'quarantined', retries: null }, { ...test, retries: 2 }], {
        summary: { start: 1_767_268_800_000, stop: 0, tests: 'many' },
        environment: { shardId: 3 },
      }),
    )
    expect(cases.map(({ status, flaky }) => [status, flaky])).toEqual([
      ['passed', false],
      ['other', false],
      ['passed', true],
    ])
    expect([shard, startedAt?.toISOString()]).toEqual(['3', '2026-01-01T12:00:00.000Z'])
  })

  it('is refused with the place where it goes wrong', () => {
    expect(rejection(() => json({})).pointer).toBe('/results')
    expect(rejection(() => json(ctrf({}))).pointer).toBe('/results/tests')
    expect(rejection(() => json(ctrf([test, { status: 'passed' }]))).pointer).toBe(
      '/results/tests/1/name',
    )
    expect(rejection(() => json(ctrf([{ ...test, name: ' ' }]))).pointer).toBe(
      '/results/tests/0/name',
    )
    expect(rejection(() => parseReport('application/json', Buffer.from('<a/>'))).detail).toContain(
      'not valid JSON',
    )
    expect(rejection(() => parseReport('application/json', Buffer.from([0xff]))).detail).toContain(
      'UTF-8',
    )
  })

  it('is refused for its depth before it is parsed, and for its number of tests', () => {
    const deep = Buffer.from('['.repeat(5_000_000))
    expect(rejection(() => parseReport('application/json', deep)).detail).toContain('deeper')
    const many = Array.from({ length: 100_001 }, () => ({}))
    expect(rejection(() => json(ctrf(many))).detail).toContain('100000')
  })

  it('is read, or refused in one sentence, whatever it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.boolean(), (value, isTest) => {
        expect(() => attempt(() => json(isTest ? ctrf([value]) : value))).not.toThrow()
      }),
      { numRuns: 500 },
    )
  })
})

describe('a JUnit report', () => {
  it('is read through nested suites, with what Surefire says of repeated tests', () => {
    const { cases, startedAt } = xml(`<?xml version="1.0" encoding="UTF-8"?>
      <testsuites><testsuite name="a &amp; b" timestamp="2026-01-01T12:00:00Z">
        <testcase name="x&#10;y" classname="Shop" time="1,001.5"/>
        <testcase name="f"><failure message="&lt;no&gt;">trace</failure><rerunFailure/></testcase>
        <testcase name="g"><flakyFailure>was <![CDATA[<late>]]></flakyFailure></testcase>
        <testsuite name="inner"><testcase name="s"><skipped/></testcase><testcase name="e"><error/></testcase></testsuite>
      </testsuite></testsuites>`)
    expect(
      cases.map(({ suite, name, status, retries, flaky, message }) =>
        [suite, name, status, retries, flaky, message].join('|'),
      ),
    ).toEqual([
      'Shop|x\ny|passed|0|false|',
      'a & b|f|failed|1|false|<no>',
      'a & b|g|passed|1|true|was <late>',
      'a & b > inner|s|skipped|0|false|',
      'a & b > inner|e|failed|0|false|',
    ])
    expect(cases[0]?.durationMs).toBe(1_001_500)
    expect(startedAt?.toISOString()).toBe('2026-01-01T12:00:00.000Z')
  })

  it('is refused with the place where it goes wrong', () => {
    expect(
      rejection(() => xml('<testsuite><testcase name="a"/><testcase/></testsuite>')).pointer,
    ).toBe('/testsuite[1]/testcase[2]/@name')
    expect(rejection(() => xml('<html/>')).detail).toContain('begins with')
    expect(rejection(() => xml('<testsuite>\n</suite>')).detail).toContain('line 2')
    expect(rejection(() => xml('')).detail).toContain('empty')
  })

  it('is refused when it brings a document type, so that no entity is ever made or fetched', () => {
    const laughs = Array.from(
      { length: 9 },
      (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`,
    )
    const bomb = `<!DOCTYPE a [<!ENTITY l0 "ha">${laughs.join('')}]><testsuite name="&l9;"/>`
    const external = `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><testsuite name="&x;"/>`
    const remote = `<?xml version="1.0"?><!-- - --><!DOCTYPE a SYSTEM "http://127.0.0.1/a.dtd"><testsuite/>`
    for (const hostile of [bomb, external, remote]) {
      expect(rejection(() => xml(hostile)).detail).toContain('document type')
    }
  })

  it('leaves an entity that nobody declared as the text it is', () => {
    const { cases } = xml(
      '<testsuite><testcase name="a &amp;lt; &#38;lt; &#x110000;"/></testsuite>',
    )
    expect(cases[0]?.name).toBe('a &lt; &lt; &#x110000;')
  })

  it('is refused for depth, attributes, tags and elements without measure, before it is parsed', () => {
    const many = Array.from({ length: 100 }, (_, n) => `a${n}="1"`).join(' ')
    const hostile = {
      deeper: '<testsuite>'.repeat(1_000_000),
      'more than 64 attributes': `<testsuite ${many}/>`,
      'a tag of more than': `<testsuite ${'a'.repeat(5_000_000)}/>`,
      'more than 500000 elements': `<testsuite>${'<a/>'.repeat(500_001)}</testsuite>`,
      'an unclosed tag': '<'.repeat(5_000_000),
      'closing -->': '<!--'.repeat(1_000_000),
    }
    for (const [why, text] of Object.entries(hostile)) {
      expect(rejection(() => xml(text)).detail).toContain(why)
    }
  })

  it('is refused for names that are no names of JUnit', () => {
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      rejection(() => xml(`<testsuite><testcase ${name}="x"/></testsuite>`))
    }
    expect(Object.prototype).not.toHaveProperty('x')
  })

  it('is read, or refused in one sentence, whatever it holds', () => {
    const piece = fc.constantFrom(
      '<testsuite>',
      '</testsuite>',
      '<testcase name="a">',
      '</testcase>',
      '<failure/>',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '&lt;',
      '&',
      '"',
      '<',
      '>',
      '/>',
      ' name=',
      '<?x',
      '?>',
      'text',
      '\0',
      '\uD800',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(() => attempt(() => xml(`<testsuite>${pieces.join('')}</testsuite>`))).not.toThrow()
      }),
      { numRuns: 2000 },
    )
  })

  it('says the same as the CTRF report of the same tests', () => {
    const names = fc.uniqueArray(
      fc.string({ minLength: 1, unit: 'grapheme-ascii' }).filter((n) => n.trim() !== ''),
      {
        maxLength: 20,
        selector: (name) => name.trim(),
      },
    )
    const escape = (text: string) => text.replaceAll(/[<>&"']/g, (c) => `&#${c.charCodeAt(0)};`)
    fc.assert(
      fc.property(names, (given) => {
        const failed = (index: number) => index % 3 === 0
        const cases = given.map(
          (name, i) =>
            `<testcase name="${escape(name)}">${failed(i) ? '<failure/>' : ''}</testcase>`,
        )
        const fromXml = xml(`<testsuite>${cases.join('')}</testsuite>`)
        const tests = given.map((name, i) => ({ name, status: failed(i) ? 'failed' : 'passed' }))
        const fromJson = json({ results: { tests } })
        expect(fromXml.cases.map(({ name }) => name)).toEqual(
          fromJson.cases.map(({ name }) => name),
        )
        expect(summarizeReport(fromXml)).toEqual(summarizeReport(fromJson))
      }),
    )
  })
})

it('a report of no known type is refused', () => {
  for (const type of [undefined, 'text/plain', 'application/jsonx']) {
    expect(() => parseReport(type, Buffer.from('{}'))).toThrow('Content-Type: application/json')
  }
})

it('a text of a report is kept as it can be stored, and cut between two characters', () => {
  const kept = [toKeptText('a\0b\uD83D', 10), toKeptText('ab\u{1F600}', 3), toKeptText(' \0 ', 10)]
  expect(kept).toEqual(['a\uFFFDb\uFFFD', 'ab', '\uFFFD'])
})
