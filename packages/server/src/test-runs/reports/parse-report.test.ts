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
    expect(rejection(() => json(ctrf([test, 'pays']))).pointer).toBe('/results/tests/1')
    for (const bytes of [Buffer.from('<a/>'), Buffer.from([0xff])]) {
      const { detail } = rejection(() => parseReport('application/json', bytes))
      expect(detail).toContain('not valid JSON')
    }
  })

  it('is read whatever is missing of a test, and however its status is written', () => {
    const { cases } = json(
      ctrf([
        { status: 'FAILED', suite: ['Shop', 'pays'] },
        { ...test, name: ' ', filePath: 'pay.ts', status: 'Passed' },
        { ...test, status: 'SKIPPED' },
        { ...test, status: 'timed_out' },
        { name: 'never said' },
      ]),
    )
    expect(cases.map(({ name, status }) => `${name}: ${status}`)).toEqual([
      'Shop > pays: failed',
      'pay.ts: passed',
      'pays: skipped',
      'pays: failed',
      'never said: other',
    ])
  })

  it('has failed where its summary says so, though no test of it shows a failure', () => {
    const failed = (tests: unknown, count: number) =>
      summarizeReport(json(ctrf(tests, { summary: { failed: count } }))).failed
    expect(failed([test], 2)).toBe(1)
    expect(failed([test, { ...test, status: 'failed' }], 2)).toBe(1)
    expect(failed([test], 0)).toBe(0)
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

  const read = (suite: string) => {
    const { cases } = xml(suite)
    return cases.map(({ suite: of, name, status }) => `${of}|${name}|${status}`)
  }

  it('counts a test without a name under its class, where something failed before the first one began', () => {
    expect(
      read(`<testsuite name="Shop"><testcase name="" classname="com.acme.ShopTest"><error/></testcase>
        <testcase><failure/></testcase><testcase name=" "/></testsuite>`),
    ).toEqual([
      'com.acme.ShopTest|com.acme.ShopTest|failed',
      'Shop|Shop|failed',
      'Shop|Shop|passed',
    ])
    expect(read('<testsuite><testcase/></testsuite>')).toEqual(['|(no name)|passed'])
  })

  it.each([
    [
      'an error of the suite',
      '<testsuite name="s"><testcase name="a"/><error message="m"/></testsuite>',
    ],
    [
      'a failure of all suites',
      '<testsuites name="s"><testsuite><testcase name="a"/></testsuite><failure/></testsuites>',
    ],
    [
      'errors in its sums',
      '<testsuite name="s" errors="1" failures="0"><testcase name="a"/></testsuite>',
    ],
    [
      'failures in sums above',
      '<testsuites name="s" failures="2"><testsuite failures="0"><testcase name="a"/></testsuite></testsuites>',
    ],
    ['sums and no test at all', '<testsuite name="s" tests="9" failures="1"/>'],
  ])('has failed where it says so of a suite: %s', (_, suite) => {
    expect(read(suite)).toContain('s|s|failed')
    expect(summarizeReport(xml(suite)).failed).toBe(1)
  })

  it.each([
    [
      'a test shows it',
      '<testsuite failures="1"><testcase name="a"><failure/></testcase></testsuite>',
      1,
    ],
    [
      'suites show it',
      '<testsuites failures="1"><testsuite failures="1"><testcase name="a"><failure/></testcase></testsuite></testsuites>',
      1,
    ],
    [
      'a repeat made it good',
      '<testsuite failures="1"><testcase name="a"><flakyFailure/></testcase></testsuite>',
      0,
    ],
    [
      'assertions are counted',
      '<testsuite failures="3"><testcase name="a"><failure/><failure/></testcase></testsuite>',
      1,
    ],
    [
      'the sums are no numbers',
      '<testsuite failures="-1" errors="many"><testcase name="a"/></testsuite>',
      0,
    ],
  ])('counts no failure of a suite twice: %s', (_, suite, failed) => {
    expect(summarizeReport(xml(suite)).failed).toBe(failed)
  })

  it.each([
    ['status="notrun" result="suppressed"', 'skipped'],
    ['status="run" result="completed"', 'passed'],
    ['status="run" result="skipped"', 'skipped'],
    ['status="disabled"', 'skipped'],
    ['status="Ignored"', 'skipped'],
    ['executed="False"', 'skipped'],
    ['skipped="true"', 'skipped'],
    ['status="fail"', 'failed'],
    ['status="passed" result="Failed"', 'failed'],
    ['status="broken"', 'failed'],
    ['status="0"', 'passed'],
  ])('reads what attributes say of a test: %s is %s', (attributes, status) => {
    expect(read(`<testsuite><testcase name="a" ${attributes}/></testsuite>`)).toEqual([
      `|a|${status}`,
    ])
  })

  it('reads what elements say of a test before its attributes, with what is disabled or ignored', () => {
    expect(
      read(`<testsuite><testcase name="a" status="passed"><failure/></testcase>
        <testcase name="b"><disabled/></testcase><testcase name="c"><ignored/></testcase></testsuite>`),
    ).toEqual(['|a|failed', '|b|skipped', '|c|skipped'])
  })

  it.each([
    ['0.160', 160],
    ['0,160', 160],
    ['1,001.5', 1_001_500],
    ['1.001,5', 1_001_500],
    ['1,234,567', 1_234_567_000],
    ['3', 3000],
    ['', null],
    ['-1', null],
    ['soon', null],
  ])('reads the seconds %j as %j ms, whatever the language of the machine', (time, ms) => {
    const { cases } = xml(`<testsuite><testcase name="a" time="${time}"/></testsuite>`)
    expect(cases[0]?.durationMs).toBe(ms)
  })

  it('counts a test once that failed, and failed again while it was torn down', () => {
    const test = (inside: string) => `<testcase classname="t" name="a">${inside}</testcase>`
    const tearDown = '<error message="failed on teardown with &quot;x&quot;"/>'
    const suite = (...cases: string[]) =>
      summarizeReport(xml(`<testsuite errors="1" failures="1">${cases.join('')}</testsuite>`))
    expect(suite(test('<failure/>'), test(tearDown))).toMatchObject({ passed: 0, failed: 1 })
    expect(suite(test('<failure/>'), test('<error/>'))).toMatchObject({ failed: 2 })
    expect(suite(test(''), test(tearDown))).toMatchObject({ passed: 1, failed: 1 })
  })

  it('is read in the encoding that it has: UTF-16 with or without a mark, what it declares, and UTF-8 whatever it declares', () => {
    const report = (encoding: string) =>
      `<?xml version="1.0" encoding="${encoding}"?><testsuite><testcase name="zahlt für alle"/></testsuite>`
    const wide = Buffer.from(report('utf-16'), 'utf16le')
    const encoded = {
      little: Buffer.concat([Buffer.from([0xff, 0xfe]), wide]),
      big: Buffer.concat([Buffer.from([0xff, 0xfe]), wide]).swap16(),
      unmarked: wide,
      latin: Buffer.from(report('ISO-8859-1'), 'latin1'),
      'UTF-8 that declares UTF-16': Buffer.from(report('utf-16')),
      'with a mark': Buffer.from(`\uFEFF${report('utf-8')}`),
    }
    for (const bytes of Object.values(encoded)) {
      expect(parseReport('text/xml', bytes).cases[0]?.name).toBe('zahlt für alle')
    }
    const broken = Buffer.from(report('made-up'), 'latin1')
    expect(parseReport('text/xml', broken).cases[0]?.name).toBe('zahlt f\uFFFDr alle')
  })

  it('cuts an attribute of any length, and says so where a reader sees it', () => {
    const message = `${'a'.repeat(19_998)}&quot;${'b'.repeat(400_000)}`
    const [first, second] = xml(
      `<testsuite><testcase name="a"><failure message="${message}" type="x"/></testcase><testcase name="b"/></testsuite>`,
    ).cases
    expect(first?.message).toMatch(/^a{1900,} … \(cut\)$/)
    expect(first?.message).toHaveLength(2000)
    expect(second?.name).toBe('b')
  })

  it('is refused with the place where it goes wrong', () => {
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
