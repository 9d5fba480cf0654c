import { describe, expect, it } from 'vitest'
import { code, link, quote, sign, strong, type ChatMessage } from '../chat/chat-message.ts'
import { toMrkdwn, toPlainText } from './message-text.ts'
import { messageLimits, renderMessage } from './render-message.ts'

const quoted = (text: string, max = 100) => toMrkdwn([quote(text, max)])

describe('quoted text', () => {
  it('keeps what people read', () => {
    expect(quoted('fix: 1 < 2 && "ok" 👩‍💻')).toBe('fix: 1 &lt; 2 &amp;&amp; "ok" 👩‍💻')
    expect(toMrkdwn([code('feature/snake_case', 100)])).toBe('`feature/snake_case`')
    expect(quoted('smtp_host of basket.spec.ts › adds_2_items')).toBe(
      'smtp_host of basket.spec.ts › adds_2_items',
    )
  })

  it('begins no italics with an underscore at the edge of a word', () => {
    const looksLike = '\u02cd'
    expect(quoted('_it_ a_ _b ß_x __init__')).toBe(
      '_it_ a_ _b ß_x __init__'.replaceAll('_', looksLike),
    )
    expect(quoted('smtp_host', 6)).toBe('smtp_…')
  })

  it('is cut between characters, never within one or its encoding', () => {
    expect(quoted('<<<<', 12)).toBe('&lt;&lt;…')
    expect(quoted('👍👍👍', 4)).toBe('👍…')
    expect(toPlainText(['abcdef'], 6)).toBe('abcdef')
    expect(toPlainText(['abcdefg'], 6)).toBe('abcde…')
  })

  it('is no link where the address is none that a browser opens', () => {
    for (const url of [
      'javascript:alert(1)',
      'https://a@b.example',
      'no',
      `https://x/${'y'.repeat(600)}`,
    ]) {
      expect(toMrkdwn([link(url, 'Log')])).toBe('Log')
    }
    expect(toMrkdwn([link('https://x.example/?a=1&b=|>', 'Log')])).toBe(
      '<https://x.example/?a=1&amp;b=%7c%3E|Log>',
    )
  })

  it('is as harmless where it was taken for words of ours', () => {
    expect(toMrkdwn(['<!channel> *now* @here `x`'])).toBe(
      '&lt;!channel&gt; \u2217now\u2217 @\u2060here \u02cbx\u02cb',
    )
  })
})

describe('a message', () => {
  const empty: ChatMessage = {
    tone: 'success',
    summary: ['All'],
    headline: null,
    links: [],
    facts: [],
    actions: [],
    sections: [],
    footer: [],
  }
  const textOf = (block: unknown) => JSON.stringify(block)

  it('is a title with its sign, links before facts before actions, lists, and small type', () => {
    const { text, blocks } = renderMessage({
      ...empty,
      headline: ['Deployed'],
      links: [link('https://a.example/', 'Open'), link('https://b.example/', 'Log')],
      facts: [[strong('shop')], [sign('failure'), ' e2e']],
      actions: [link('https://c.example/', 'Details')],
      footer: [['5 commits'], ['hotfix']],
    })
    expect(text).toBe('All')
    expect(blocks).toEqual([
      { type: 'header', text: { type: 'plain_text', text: '✅ Deployed', emoji: false } },
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: '<https://a.example/|Open> · <https://b.example/|Log>\n*shop*\n❌ e2e\n<https://c.example/|Details>',
          verbatim: true,
        },
      },
      {
        type: 'context',
        elements: [{ type: 'mrkdwn', text: '5 commits · hotfix', verbatim: true }],
      },
    ])
  })

  it('ends a list with the number of lines that are missing', () => {
    const list = { title: null, moreUrl: null, share: 0.1 }
    const lines = [['a'], ['b']]
    const { blocks } = renderMessage({ ...empty, sections: [{ ...list, lines, hidden: 1 }] })
    expect(textOf(blocks[0])).toContain('a\\nb\\nand 1 more')
    const whole = renderMessage({ ...empty, sections: [{ ...list, lines, hidden: 0 }] })
    expect(textOf(whole.blocks[0])).not.toContain('more')
  })

  it('has as many lines of a list as its share of the whole allows', () => {
    const lines = Array.from({ length: 100 }, () => ['x'.repeat(99)])
    const list = { title: null, moreUrl: null, lines, hidden: 0 }
    const shown = (share: number) =>
      textOf(renderMessage({ ...empty, sections: [{ ...list, share }] }).blocks[0]).split('\\n')
        .length
    expect(shown(0.2)).toBe(Math.floor((0.2 * messageLimits.total - 550) / 100) + 1)
    expect(shown(0.1)).toBeLessThan(shown(0.2))
  })
})
