import ts from 'typescript-5'
import { describe, expect, it } from 'vitest'
import { fitsGlob } from '../../packages/server/src/deployments/environments/environment-globs.ts'
import { providersOfKind } from '../../packages/server/src/providers/find-provider.ts'
import { findIssueKeys } from '../../packages/server/src/deployments/issues/issue-keys.ts'
import { readRevert } from '../../packages/server/src/deployments/commits/reverts.ts'
import { quote } from '../../packages/server/src/providers/chat/chat-message.ts'
import { toMrkdwn, toPlainText } from '../../packages/server/src/providers/slack/message-text.ts'
import { readCorrelation } from '../../packages/server/src/providers/codehosts/correlation.ts'
import { scanXml } from '../../packages/server/src/test-runs/reports/scan-xml.ts'
import { unescapeXml } from '../../packages/server/src/test-runs/reports/unescape-xml.ts'
import {
  isSandboxFile,
  isTestFile,
  readSourceFiles,
  type SourceFile,
} from '../architecture/source-files.ts'
import { pumpTexts } from '../testing/pumped-texts.ts'

/**
 * S13, shortened: instead of an analysis of each expression (minutes), each is run on texts made of its own parts. What is
 * quadratic needs an eighth of a second and more for 32 KiB of them; what is linear, a millisecond at most.
 */
const textLength = 32 * 1024
const boundMs = 75
/** For any text: nothing of it may take longer, however its time grows. */
const wholeBoundMs = 500
const product = /^packages\/(server|contract)\/src\//

/** They are not linear, and see only text that something before them has cut. */
const bounded: ReadonlyMap<string, string> = new Map([
  [String.raw`\/+$`, 'an address in the settings of whoever runs the service'],
  [
    String.raw`\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|[^])|\[(?:\\[^]|[^\]\\])*\]|\((?:\?(?:<(?![=!])[^>]*>|<?[=!]|[a-z-]*:))?|\)|\{\d+(?:,\d*)?\}|[^]`,
    'a pattern of a constraint, cut to its limit of bytes',
  ],
  [String.raw`%.*$`, 'one header of a request: without line breaks, so it never tries twice'],
  [String.raw`-+$`, 'a slug of 63 characters'],
  [String.raw`\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?`, 'a line of the log, cut to 500 characters'],
])

interface Literal {
  readonly place: string
  readonly pattern: RegExp
}

function literalsOf({ path, tree }: SourceFile): Literal[] {
  const found: Literal[] = []
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1
      found.push({
        place: `${path}:${line}`,
        pattern: new RegExp(node.text.slice(1, end), node.text.slice(end + 1)),
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/** Reads the processor time of this thread: what else the machine does is no part of it. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Measures a second time what takes long, so that a collection of garbage is no finding. */
function bestMs(work: () => unknown): number {
  let best = Infinity
  for (let round = 0; round < 2 && best > boundMs; round += 1) {
    const before = usedMs()
    work()
    best = Math.min(best, usedMs() - before)
  }
  return best
}

/**
 * Returns how long `read` takes, in milliseconds, where that is too long. What takes more than the bound on a slow machine and is
 * linear takes a quarter of it for a quarter of the text; what is quadratic, a sixteenth.
 */
function findSlowMs(read: (text: string) => unknown, text: string): number | undefined {
  const ms = bestMs(() => read(text))
  if (ms <= boundMs) return undefined
  const quarter = `${text.slice(0, textLength / 4)}\n\u0000`
  return ms > wholeBoundMs || ms > 8 * bestMs(() => read(quarter)) ? ms : undefined
}

/** The first text that takes too long. */
function findSlowText({ source, flags }: RegExp): string | undefined {
  const everywhere = new RegExp(source, flags.includes('g') ? flags : `${flags}g`)
  for (const { what, text } of pumpTexts(source, textLength)) {
    const ms = findSlowMs((whole) => whole.replaceAll(everywhere, ''), text)
    if (ms !== undefined) return `${what}: ${Math.round(ms)} ms`
  }
  return undefined
}

describe('a regular expression of the product (S13)', () => {
  const literals = readSourceFiles()
    .filter(({ path }) => product.test(path) && !isSandboxFile(path) && !isTestFile(path))
    .flatMap(literalsOf)
  const distinct = new Map(literals.map((literal) => [String(literal.pattern), literal]))
  const tried = [...distinct.values()].filter(({ pattern }) => !bounded.has(pattern.source))

  it('takes time linear in the text, whatever the text is made of', { timeout: 300_000 }, () => {
    const slow = tried.flatMap(({ place, pattern }) => {
      const found = findSlowText(pattern)
      return found === undefined ? [] : [`${place} ${String(pattern)}: ${found}`]
    })
    console.log(`regex: ${literals.length} literals, ${tried.length} tried, ${slow.length} slow`)
    expect(slow).toEqual([])
    expect(tried.length).toBeGreaterThan(100)
  })

  it('is no longer listed as bounded once it is gone from the product', () => {
    const sources = new Set([...distinct.values()].map(({ pattern }) => pattern.source))
    expect([...bounded.keys()].filter((source) => !sources.has(source))).toEqual([])
  })

  it('control: those that try again and again are found', () => {
    const found = [/-+$/].map(findSlowText)
    expect(found).toEqual(found.map(() => expect.stringContaining(` x ${textLength}: `)))
  })
})

const anyKeys = { tracked: new Set(['ABC']), repository: { fullName: 'acme/shop', url: null } }

/** Lists the readers of untrusted text, each with the worst input for a careless one. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  ...Object.fromEntries(
    providersOfKind('tracker').flatMap(({ displayName, grammar }) =>
      (['commit', 'branch'] as const).map((source) => [
        `${source} with keys of ${displayName}`,
        (text: string) => findIssueKeys([{ source, text, sha: null }], { grammar, ...anyKeys }),
      ]),
    ),
  ),
  'a revert': (text) => readRevert(text),
  'an environment and a glob of stars': (text) => fitsGlob('*a*a*a*a*a*b', text),
  'a title of a run': (text) => readCorrelation(text),
  'text of a message': (text) => toMrkdwn([quote(toPlainText([text], 300), 300)]),
  XML: (text) => {
    try {
      scanXml(text)
    } catch {
      // A refusal is an answer.
    }
  },
  'text of XML': (text) => unescapeXml(text),
}

const strangers = [
  'ABC-1 ',
  'ABC-',
  'A',
  'A_',
  '-1',
  'abc-1/',
  'Revert "',
  'Revert "Revert "',
  'This reverts commit ',
  'a',
  'run_',
  'run_0',
  '<a ',
  '<a b="',
  '<!--',
  '<![CDATA[',
  '&',
  '&#',
  '&#x',
  '&amp;',
  ':x:',
  ':',
  '*_~`',
  '\u0301',
  '\u202e',
  '👨‍👩‍👧',
  '\n',
  ' \t',
  '"',
  '\\',
]

describe('what reads text of strangers (S13)', () => {
  it('takes time linear in the text, and less than half a second for 32 KiB', () => {
    const slow: string[] = []
    for (const [name, read] of Object.entries(readers)) {
      for (const pump of strangers) {
        const text = `${pump.repeat(Math.ceil(textLength / pump.length))}\n\u0000`
        const ms = findSlowMs(read, text)
        if (ms !== undefined) slow.push(`${name}, ${JSON.stringify(pump)}: ${Math.round(ms)} ms`)
      }
    }
    const count = Object.keys(readers).length * strangers.length
    console.log(`readers: ${count} texts of 32 KiB, ${slow.length} slow`)
    expect(slow).toEqual([])
  })
})
