import { Problem } from '@signalbox/contract'
import { afterEach, describe, expect, it } from 'vitest'
import { parseReport } from './parse-report.ts'
import { createReportParser, type ReportParser, type ReportParserOptions } from './report-parser.ts'
import { startReportThread } from './report-thread.ts'

const xml = 'application/xml'
const parsers: ReportParser[] = []

function open(options: ReportParserOptions = {}): ReportParser {
  const parser = createReportParser({ inlineBytesMax: 0, ...options })
  parsers.push(parser)
  return parser
}

afterEach(async () => {
  for (const parser of parsers.splice(0)) await parser.close()
})

function junit(count: number, message = ''): Buffer {
  const cases = Array.from(
    { length: count },
    (_, at) =>
      `<testcase classname="shop.Cart" name="case ${at}" time="0.1"><failure>${message}</failure></testcase>`,
  )
  return Buffer.from(`<testsuite timestamp="2026-11-22T00:00:00Z">${cases.join('')}</testsuite>`)
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'read',
    (error: unknown) => (error instanceof Problem ? error.code : String(error)),
  )

/** Counts the rounds of the event loop during some work. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const turn = () => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isOver = true
  return turns
}

describe('a report that is read in a thread', () => {
  it('says the same as one that is read at once', async () => {
    const parser = open()
    for (const bytes of [junit(3, 'expected 1'), junit(1)]) {
      expect(await parser.parse(xml, bytes)).toEqual(parseReport(xml, bytes))
    }
  })

  it('is refused with the same place and words', async () => {
    const bad = Buffer.from('<tests><testcase name=""/></tests>')
    const told = (work: () => Promise<unknown>) =>
      work().then(
        () => undefined,
        (error: unknown) => error instanceof Problem && [error.code, error.message, error.errors],
      )
    const refused = await told(() => open().parse(xml, bad))
    expect(refused).toEqual(await told(async () => parseReport(xml, bad)))
    expect(refused).toMatchObject(['invalid_report', expect.stringContaining('<testsuite>'), [{}]])
    expect(await codeOf(open().parse('text/plain', bad))).toBe('unsupported_media_type')
  })

  it('lets the event loop go on, however large it is', async () => {
    const large = junit(4_000, 'x'.repeat(100))
    const parser = open()
    expect(await countTurns(() => parser.parse(xml, large))).toBeGreaterThan(100)
    // The control: read at once, it holds the loop from its beginning to its end.
    const atOnce = open({ inlineBytesMax: large.length })
    expect(await countTurns(() => atOnce.parse(xml, large))).toBeLessThan(5)
  })

  it('is given up when it takes too long', async () => {
    expect(await codeOf(open({ limitMs: 1 }).parse(xml, junit(4_000)))).toBe('invalid_report')
  })

  it('waits for the reports before it, and is refused when too many wait', async () => {
    const parser = open({ waitingMax: 2 })
    const codes = await Promise.all([1, 2, 3, 4].map(() => codeOf(parser.parse(xml, junit(1)))))
    expect(codes).toEqual(['read', 'read', 'read', 'overloaded'])
    expect(await codeOf(parser.parse(xml, junit(1)))).toBe('read')
  })

  it.each([
    ['dies of it', () => Promise.reject(new Error('a bug')), 'Error: a bug'],
    ['is late with it', () => Promise.resolve('late' as const), 'invalid_report'],
    ['has no memory for it', () => Promise.resolve('exhausted' as const), 'invalid_report'],
  ])('takes nothing from the next one where the thread %s', async (_how, ask, code) => {
    const end = async () => void ended.push(1)
    const ended: number[] = []
    const threads = [{ ask, end }]
    const parser = open({ startThread: () => threads.pop() ?? startReportThread() })
    expect(await codeOf(parser.parse(xml, junit(1)))).toBe(code)
    expect(ended).toHaveLength(1)
    expect(await codeOf(parser.parse(xml, junit(1)))).toBe('read')
  })

  it('is told to come back when the service stops in the middle of it', async () => {
    const parser = open()
    const reading = codeOf(parser.parse(xml, junit(4_000)))
    const waiting = codeOf(parser.parse(xml, junit(1)))
    await new Promise(setImmediate)
    await parser.close()
    expect(await Promise.all([reading, waiting])).toEqual(['draining', 'draining'])
  })
})
