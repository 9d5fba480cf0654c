import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChatMessage } from '../../providers/chat/chat-message.ts'
import {
  messageLimits,
  renderMessage,
  type SlackMessage,
} from '../../providers/slack/render-message.ts'
import type { DeploymentView } from '../../read-models/notifications/deployment-view.ts'
import { renderAttention, renderConfiguration } from './render-attention.ts'
import { renderDeploymentMessage } from './render-deployment-message.ts'
import { toCompact } from './render-notice.ts'
import { renderTestMessage } from './render-test-message.ts'
import { renderFailure, renderThread } from './render-thread.ts'
import { buildFlagView, buildIssue, buildTestRun, buildView } from '../testing/build-view.ts'
import { hostileView } from '../testing/hostile-view.ts'
import { faultSeed } from '../testing/seeded-random.ts'

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

const markupOf = ({ text, blocks }: SlackMessage) => [
  text,
  ...textsOf(blocks)
    .filter(({ type }) => type === 'mrkdwn')
    .map((part) => part.text),
]

function everyMessage(of: DeploymentView): SlackMessage[] {
  const who = of.who ?? ''
  const text = of.repository
  const messages: readonly (ChatMessage | undefined)[] = [
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
      {
        environment: text,
        schema: of.ref,
        version: 1,
        who,
        comment: of.sha,
        keys: [of.ref],
        flags: [buildFlagView(of.ref)],
        proof: null,
      },
      page,
    ),
  ]
  return messages.filter((message) => message !== undefined).map(renderMessage)
}

/** Counts the characters of a message: those of all its texts. */
function measureText(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + measureText(item), 0)
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce(
    (sum, [name, part]) => (name === 'type' ? sum : sum + measureText(part)),
    0,
  )
}

/** Markup of ours, which may stand in a message: links with one label, and code. */
const ownMarkup = /<https?:\/\/[^<>|\s`*~]+\|[^<>|]*>|`[^`\n]+`/g

describe('foreign text in any message', () => {
  const check = (property: (message: SlackMessage) => void) =>
    fc.assert(
      fc.property(hostileView, (of) => everyMessage(of).forEach(property)),
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
        // Within a word an underscore begins nothing.
        expect(rest).not.toMatch(/~|(?<![a-z0-9])_/i)
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
      expect(measureText(message)).toBeLessThanOrEqual(messageLimits.total)
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
    textsOf(renderMessage(renderDeploymentMessage(buildView(overrides), page)).blocks).map(
      ({ text }) => text,
    )

  it('says at a glance what happened, where, what of, and how the tests went', () => {
    expect(shown()).toEqual([
      '✅ Deployed to production',
      '<https://shop.example.com/|Open production> · <https://github.com/acme/shop/actions/runs/6|Log>\n*acme/shop* · `main` · `a1b2c3d4` · by octocat · 1 min 12 s\n“SHOP-5 Pay with a card”',
      '✅ *e2e* passed · 118 passed, 2 skipped, 1 flaky · 3 min 12 s · <https://github.com/acme/shop/actions/runs/7|Full results>',
      '*Issues*\n• <https://acme.atlassian.net/browse/SHOP-5|SHOP-5> Pay with a card · In review',
      `1 commit · shop v12 · <${page}|Details>`,
    ])
  })

  it('names a commit once that was deployed itself, and never by what a rollback took out', () => {
    const sha = 'a1b2c3d4e5f6'
    const texts = shown({ relation: 'rollback', ref: sha, sha }).join('\n')
    expect(texts).toContain('*acme/shop* · `a1b2c3d4` · by octocat')
    expect(texts).not.toContain(sha)
    expect(texts).not.toContain('“SHOP-5 Pay with a card”')
    expect(shown({ ref: 'a1b2' }).join('\n')).toContain('`a1b2` · `a1b2c3d4`')
    expect(shown({}).join('\n')).toContain('“SHOP-5 Pay with a card”')
  })

  it('says what a rollback took out, and what it goes back to', () => {
    const issues = [buildIssue({ state: 'reverted' }), buildIssue({ key: 'SHOP-4', title: null })]
    const texts = shown({ relation: 'rollback', commitCount: 3, issues })
    expect(texts[0]).toBe('↩️ Rolled back production')
    expect(texts[3]).toMatch(/^\*Issues removed\*\n• <[^>]*\|SHOP-5>[^\n]*$/)
    expect(texts[4]).toMatch(/^\*Issues\*\n• <[^>]*\|SHOP-4>[^\n]*$/)
    expect(texts[5]).toContain('3 commits removed')
  })

  it('turns red when the tests fail', () => {
    const testRuns = [buildTestRun({ state: 'failed', failed: 2 })]
    expect(shown({ testRuns })[0]).toBe('❌ Deployed to production, tests failed')
  })

  it('says which tests were never started, and where a person starts them', () => {
    const testRuns = [
      buildTestRun({ state: 'errored', reason: 'The code host never said so.', url: null }),
      buildTestRun({ state: 'unknown', reason: 'It gave no clear answer.', url: null }),
      buildTestRun({ state: 'errored', reason: null }),
    ].map((run) => ({ ...run, passed: null, failed: null, skipped: null, flaky: null }))
    const partial = buildTestRun({ state: 'errored', reason: 'Part of the results is missing.' })
    const view = { testRuns: [...testRuns, partial], ref: 'feature/a&b' }
    const lines = shown(view)[2]?.split('\n') ?? []
    const start = `${page}?run=feature%2Fa%26b`
    expect(lines[0]).toContain('*e2e* was never started')
    expect(lines[0]).toContain(`<${start}|Start it>`)
    expect(lines[1]).toContain('unknown whether it started')
    expect(lines[1]).toContain(`<${start}|Start it if it isn’t running>`)
    expect(lines[2]).toContain('*e2e* ended without a result')
    expect(lines[2]).not.toContain('Start it')
    expect(lines[3]).toContain('*e2e* ended without all of its results')
    expect(lines[3]).not.toContain('Start it')
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
  it('names each test that failed once and the commits, and counts those it does not know', () => {
    const failed = buildTestRun({ state: 'failed', failing: ['cart adds', 'cart removes'] })
    const testRuns = [failed, failed]
    const message = renderThread(buildView({ testRuns, commitCount: 9 }), page)
    if (message === undefined) throw new Error('There are no details.')
    const texts = textsOf(renderMessage(message).blocks).map(({ text }) => text)
    expect(texts[0]).toBe('*Failed tests*\n• cart adds\n• cart removes')
    expect(texts[1]?.endsWith(`<${page}|and 8 more>`)).toBe(true)
  })

  it('is not begun for what the message says already', () => {
    expect(renderThread(buildView(), page)).toBeUndefined()
  })

  it.each([
    ['its commit', buildView().commits, 'Commits'],
    ['no commit', [], 'No failed tests.'],
  ])('that named a failed test names %s once the run has passed', (_, commits, text) => {
    const passed = buildView({ commits, commitCount: commits.length })
    const message = renderThread(passed, page, true)
    if (message === undefined) throw new Error('There are no details.')
    const texts = textsOf(renderMessage(message).blocks).map((each) => each.text)
    expect(texts.join()).toContain(text)
    expect(texts.join()).not.toContain('*Failed tests*')
  })
})
