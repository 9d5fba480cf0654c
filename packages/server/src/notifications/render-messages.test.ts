import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChatMessage } from '../providers/chat.ts'
import type { DeploymentView } from './deployment-view.ts'
import { measureMessage, messageLimits, toCompact } from './message-blocks.ts'
import { fitLines, linkTo, quoteCode, quoteText, toPlainLine } from './message-text.ts'
import { renderAttention, renderConfiguration } from './render-attention.ts'
import { renderDeploymentMessage } from './render-deployment-message.ts'
import { renderTestMessage } from './render-test-message.ts'
import { renderFailure, renderThread } from './render-thread.ts'
import { buildIssue, buildTestRun, buildView } from './testing/build-view.ts'
import { faultSeed } from './testing/seeded-random.ts'

const page = 'https://signalbox.acme.dev/deployments/dep_1'

/** Every text of a message: what is markup, and what is not. */
function textsOf(value: unknown): { readonly type: string; readonly text: string }[] {
  if (Array.isArray(value)) return value.flatMap(textsOf)
  if (typeof value !== 'object' || value === null) return []
  if ('type' in value && 'text' in value && typeof value.text === 'string') {
    return [{ type: String(value.type), text: value.text }]
  }
  return Object.values(value).flatMap(textsOf)
}

const markupOf = ({ text, blocks }: ChatMessage) => [
  text,
  ...textsOf(blocks)
    .filter(({ type }) => type === 'mrkdwn')
    .map((part) => part.text),
]

const pieces = [
  '<!channel>', '<!here|x>', '<@U012AB>', '<#C01|general>', '<https://evil.example|Log>', '@here', '@everyone', '#general',
  ':tada:', '*bold*', '_it_', '~s~', '`code`', '```', '> quote', '&lt;!channel&gt;', '&amp;', '|', '>', '<', '&', '*', '_', '~', '`',
  '\n', '\r\n', '\u2028', '\u202e', '\u200b', '\u2060', '\ud800', '\0', '\u001b[31m', '👩‍💻', 'ß', 'x', ' ', 'https://evil.example/', '"', '\\',
] // prettier-ignore
const hostile = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 400 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 400 }),
)
const hostileUrl = fc.oneof(
  fc.constant(null),
  fc.webUrl(),
  hostile.map((text) => `https://shop.example.com/${text}`),
  hostile,
  fc.constant('javascript:alert(1)'),
)
const issue = fc.record({
  key: hostile,
  state: fc.constantFrom('linked', 'reverted', 'not_found', 'ignored', 'pending'),
  title: fc.option(hostile),
  status: fc.option(hostile),
  url: hostileUrl,
})
const run = fc.record({
  name: hostile,
  state: fc.constantFrom('passed', 'failed', 'errored', 'timed_out', 'running'),
  reason: fc.option(hostile),
  url: hostileUrl,
  warnings: fc.array(hostile, { maxLength: 4 }),
  failing: fc.array(hostile, { maxLength: 30 }),
})
const commit = fc.record({
  sha: hostile,
  message: hostile,
  author: fc.option(hostile),
  url: hostileUrl,
})
const view: fc.Arbitrary<DeploymentView> = fc
  .record({
    environment: hostile,
    repository: hostile,
    ref: hostile,
    sha: hostile,
    relation: fc.constantFrom('first', 'forward', 'rollback', 'hotfix', 'same', 'unknown'),
    state: fc.constantFrom('waiting', 'in_progress', 'success', 'failure', 'superseded'),
    who: fc.option(hostile),
    url: hostileUrl,
    logUrl: hostileUrl,
    commits: fc.array(commit, { maxLength: 40 }),
    commitCount: fc.nat(2_000),
    issues: fc.array(issue, { maxLength: 60 }),
    testRuns: fc.array(
      run.map((of) => buildTestRun(of)),
      { maxLength: 12 },
    ),
    configVersions: fc.array(fc.record({ schema: hostile, version: fc.nat() }), { maxLength: 20 }),
  } as const)
  .map((of) => buildView(of))

function everyMessage(of: DeploymentView): ChatMessage[] {
  const who = of.who ?? ''
  const text = of.repository
  const messages = [
    renderDeploymentMessage(of, page),
    renderThread(of, page),
    renderFailure(of),
    toCompact(renderDeploymentMessage(of, page), page),
    renderTestMessage({ organization: text, who, url: page }),
    renderAttention(
      {
        kind: 'tracker',
        provider: 'jira',
        account: text,
        state: 'degraded',
        reason: of.ref,
        nextStep: who,
      },
      page,
    ),
    renderConfiguration(
      { environment: text, schema: of.ref, version: 1, who, comment: of.sha, keys: [of.ref] },
      page,
    ),
  ]
  return messages.filter((message) => message !== undefined)
}

/** Markup of ours, which may stand in a message: links with one label, and code. */
const ownMarkup = /<https?:\/\/[^<>|\s`*~]+\|[^<>|]*>|`[^`\n]+`/g

describe('foreign text in any message', () => {
  const check = (property: (message: ChatMessage) => void) =>
    fc.assert(
      fc.property(view, (of) => everyMessage(of).forEach(property)),
      { seed: faultSeed, numRuns: 100 },
    )

  it('mentions nobody and links nowhere: no sign of its own is markup', () => {
    check((message) => {
      for (const text of markupOf(message)) {
        const rest = text.replaceAll(ownMarkup, '')
        expect(rest).not.toMatch(/[<>`]/)
        expect(rest).not.toMatch(/[@#](?!\u2060)/)
        expect(rest).not.toMatch(/:[\w+'-]+:/)
        expect(rest).not.toContain('://')
        expect(rest).not.toMatch(/&(?!amp;|lt;|gt;)/)
        expect(rest).not.toMatch(/[_~]/)
      }
    })
  })

  it('formats nothing: what is bold is so because we say it', () => {
    check((message) => {
      for (const line of markupOf(message).flatMap((text) => text.split('\n'))) {
        const stars = line.replaceAll(ownMarkup, '').split('*').length - 1
        expect([0, 2]).toContain(stars)
        expect(line).not.toMatch(/^\s*(&gt;|>)/)
      }
    })
  })

  it('has no control characters, no half characters, and does not turn the direction', () => {
    check((message) => {
      for (const { text } of [...textsOf(message.blocks), message]) {
        expect(text).not.toMatch(/(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069\u200b\u2028\u2029]/u)
        expect(text.isWellFormed()).toBe(true)
      }
    })
  })

  it('breaks no limit', () => {
    check((message) => {
      expect(message.text.length).toBeLessThanOrEqual(messageLimits.text)
      expect(message.blocks.length).toBeLessThanOrEqual(messageLimits.blocks)
      expect(measureMessage(message)).toBeLessThanOrEqual(messageLimits.total)
      for (const block of message.blocks) {
        const most = block['type'] === 'header' ? messageLimits.header : messageLimits.section
        for (const { text } of textsOf(block)) {
          expect(text.length).toBeLessThanOrEqual(most)
          expect(text.length).toBeGreaterThan(0)
        }
      }
    })
  })

  it('asks for nothing to be looked for in it', () => {
    check(({ blocks }) => {
      const parts = JSON.stringify(blocks).match(/"type":"mrkdwn"/g)?.length ?? 0
      expect(JSON.stringify(blocks).match(/"verbatim":true/g)?.length ?? 0).toBe(parts)
    })
  })
})

describe('the message of a deployment', () => {
  const shown = (overrides: Partial<DeploymentView> = {}) =>
    textsOf(renderDeploymentMessage(buildView(overrides), page).blocks).map(({ text }) => text)

  it('says at a glance what happened, where, what of, and how the tests went', () => {
    expect(shown()).toEqual([
      '✅ Deployed to production',
      '<https://shop.example.com/|Open production> · <https://github.com/acme/shop/actions/runs/6|Log>\n*acme/shop* · `main` · `a1b2c3d4` · by octocat · 1 min 12 s\n“SHOP-5 Pay with a card”',
      '✅ *e2e* passed · 118 passed, 2 skipped, 1 flaky · 3 min 12 s · <https://github.com/acme/shop/actions/runs/7|Full results>',
      '*Issues*\n• <https://acme.atlassian.net/browse/SHOP-5|SHOP-5> Pay with a card · In review',
      `1 commit · shop v12 · <${page}|Details>`,
    ])
  })

  it('says what a rollback took out', () => {
    const texts = shown({ relation: 'rollback', commitCount: 3 })
    expect(texts[0]).toBe('↩️ Rolled back production')
    expect(texts[3]).toContain('*Issues taken out*')
    expect(texts[4]).toContain('3 commits taken out')
  })

  it('turns red when the tests fail', () => {
    const testRuns = [buildTestRun({ state: 'failed', failed: 2 })]
    expect(shown({ testRuns })[0]).toBe('❌ Deployed to production, tests failed')
  })

  it('warns of results that do not mean what they seem to', () => {
    const warnings = ['Tested was another commit.', 'The report is <green>.']
    expect(shown({ testRuns: [buildTestRun({ warnings })] })[3]).toBe(
      '⚠️ e2e: Tested was another commit.\n⚠️ e2e: The report is &lt;green&gt;.',
    )
  })

  it('names ten issues, counts the others and those that were not found, and no word of what is ignored', () => {
    const linked = Array.from({ length: 22 }, (_, index) => buildIssue({ key: `SHOP-${index}` }))
    const others = (['not_found', 'forbidden', 'ignored'] as const).map((state) =>
      buildIssue({ state }),
    )
    const text = shown({ issues: [...linked, ...others] })[3]
    expect(text?.split('\n')).toHaveLength(12)
    expect(text).toContain('*Issues* · 2 not found\n')
    expect(text?.endsWith(`<${page}|and 12 more>`)).toBe(true)
  })

  it('does not depend on when it is rendered', () => {
    expect(renderDeploymentMessage(buildView(), page)).toEqual(
      renderDeploymentMessage(buildView(), page),
    )
  })
})

describe('the thread of a deployment', () => {
  it('names the tests that failed and the commits, and counts those it does not know', () => {
    const testRuns = [buildTestRun({ state: 'failed', failing: ['cart adds', 'cart removes'] })]
    const message = renderThread(buildView({ testRuns, commitCount: 9 }), page)
    const texts = textsOf(message?.blocks).map(({ text }) => text)
    expect(texts[0]).toBe('*Failed tests*\n• cart adds\n• cart removes')
    expect(texts[1]?.endsWith(`<${page}|and 8 more>`)).toBe(true)
  })

  it('is not begun for what the message says already', () => {
    expect(renderThread(buildView(), page)).toBeUndefined()
  })
})

describe('quoted text', () => {
  it('keeps what people read', () => {
    expect(quoteText('fix: 1 < 2 && "ok" 👩‍💻', 100)).toBe('fix: 1 &lt; 2 &amp;&amp; "ok" 👩‍💻')
    expect(quoteCode('feature/snake_case', 100)).toBe('`feature/snake_case`')
  })

  it('is cut between characters, never within one or its encoding', () => {
    expect(quoteText('<<<<', 12)).toBe('&lt;&lt;…')
    expect(quoteText('👍👍👍', 4)).toBe('👍…')
    expect(toPlainLine('abcdef', 6)).toBe('abcdef')
    expect(toPlainLine('abcdefg', 6)).toBe('abcde…')
  })

  it('is no link where the address is none that a browser opens', () => {
    for (const url of [
      'javascript:alert(1)',
      'https://a@b.example',
      'no',
      `https://x/${'y'.repeat(600)}`,
    ]) {
      expect(linkTo(url, 'Log')).toBe('Log')
    }
    expect(linkTo('https://x.example/?a=1&b=|>', 'Log')).toBe(
      '<https://x.example/?a=1&amp;b=%7c%3E|Log>',
    )
  })

  it('of a list ends with the number of lines that are missing', () => {
    expect(fitLines(['a', 'b', 'c'], { lines: 2, length: 1_000, moreUrl: null })).toBe(
      'a\nb\nand 1 more',
    )
  })
})
