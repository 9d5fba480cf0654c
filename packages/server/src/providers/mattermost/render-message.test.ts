import fc from 'fast-check'
import { startSandbox, type Sandbox } from '@signalbox/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { code, link, quote, sign, strong, type ChatMessage } from '../chat/chat-message.ts'
import { toMarkdown, toShownText } from './message-text.ts'
import { messageLimits, renderMessage } from './render-message.ts'
import { hostileView } from '../../notifications/testing/hostile-view.ts'
import { renderDeploymentMessage } from '../../notifications/messages/render-deployment-message.ts'

const joiner = '\u2060'
const seen = (text: string) => text.replaceAll(joiner, '')

describe('text of others', () => {
  it('keeps what people read', () => {
    expect(seen(toMarkdown([quote('fix: 1 < 2 && "ok" 👩‍💻', 100)]))).toBe('fix: 1 < 2 && "ok" 👩‍💻')
    expect(toMarkdown([code('feature/snake_case', 100)])).toBe('`feature/snake_case`')
  })

  it.each(['\\', '`', '*', '_', '[', ']', '|', '$'])('escapes %s', (character) => {
    expect(toMarkdown([`a ${character} b`])).toBe(`a \\${character} b`)
  })

  it.each([
    ['@all', `@${joiner}all`],
    ['~town', `\\~${joiner}town`],
    ['a #tag', `a #${joiner}tag`],
    [':tada:', `:${joiner}tada:${joiner}`],
    [';)', `;${joiner})`],
    ['<3', `<${joiner}3`],
    ['a =)', `a =${joiner})`],
    ['&lt;', `&${joiner}lt;${joiner}`],
    ['www.evil.example', `www${joiner}.evil.example`],
    ['x-d', `x${joiner}-d`],
    ['evil.com/x', `evil.${joiner}com/x`],
  ])('breaks what Mattermost looks for: %s', (text, markdown) => {
    expect(toMarkdown([text])).toBe(markdown)
  })

  it.each(['- a', '+ a', '> a', '# a', '= a', '| a', '~ a', ' a', '1. a', '2) a'])(
    'begins no block: %j',
    (line) => {
      expect(toMarkdown([line])).toMatch(/^[\u2060\\]/)
    },
  )

  it('is cut between characters, and says so', () => {
    expect(toMarkdown([quote('👍👍👍', 2)])).toBe('👍…')
    expect(toShownText(['abcdefg'], 6)).toBe('abcde…')
  })

  it('is no link where the address is none that a browser opens', () => {
    const withCredentials = ['https://a@b.example', 'https://:a@b.example']
    const long = `https://b.example/${'a'.repeat(500)}`
    for (const url of ['javascript:alert(1)', ...withCredentials, 'no', long, null]) {
      expect(toMarkdown([link(url, 'Log')])).toBe('Log')
    }
    expect(toMarkdown([link('https://x.example/a_(b)?c=d', 'Log')])).toBe(
      '[Log](https://x.example/a_%28b%29?c=d)',
    )
  })
})

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

describe('a message', () => {
  it('is one attachment: a colour, a title, lines, lists as fields, and a footer', () => {
    const list = { title: ['Issues'], moreUrl: null, share: 0.4 }
    const { attachments } = renderMessage({
      ...empty,
      headline: ['Deployed'],
      links: [link('https://a.example/', 'Open'), link('https://b.example/', 'Log')],
      facts: [[strong('shop')], [sign('failure'), ' e2e']],
      actions: [link('https://c.example/', 'Details')],
      sections: [{ ...list, lines: [['a'], ['b']], hidden: 3 }],
      footer: [['by Ada'], [link('https://d.example/', 'All')]],
    })
    expect(attachments).toEqual([
      {
        fallback: 'All',
        color: '#1a8a5a',
        title: '✅ Deployed',
        title_link: 'https://a.example/',
        text: '[Open](https://a.example/) · [Log](https://b.example/) · [All](https://d.example/)\n**shop**\n❌ e2e\n[Details](https://c.example/)',
        fields: [{ title: 'Issues', value: 'a\nb\nand 3 more', short: false }],
        footer: 'by Ada',
      },
    ])
  })

  it('stays far below what Mattermost takes, whatever anybody wrote', () => {
    const page = 'https://signalbox.acme.dev/deployments/dep_1'
    for (const view of fc.sample(hostileView, { seed: 20_261_126, numRuns: 100 })) {
      const [attachment] = renderMessage(renderDeploymentMessage(view, page)).attachments
      if (attachment === undefined) throw new Error('The message has no attachment')
      const { fallback, footer, fields } = attachment
      expect(fallback.replaceAll(joiner, '').length).toBeLessThanOrEqual(2 * messageLimits.fallback)
      expect(Array.from(seen(footer)).length).toBeLessThanOrEqual(messageLimits.footer)
      for (const { value } of fields) expect(Array.from(value).length).toBeLessThan(16_383)
      expect(JSON.stringify(attachment).length).toBeLessThan(40_000)
    }
  })
})

const hostile = [
  '@channel now',
  '@all @here @ada',
  '~town-square',
  '#general',
  '[Open production](https://evil.example)',
  'a](https://evil.example) [b',
  'https://evil.example www.evil.example',
  '*bold* _it_ ~~gone~~ **b** __u__',
  '`code` and ```pre```',
  'end `',
  '\\[x](https://evil.example)',
  '> quoted',
  '# head',
  '- item',
  '1. item',
  'one\n> two\n```three```',
  ':tada: :+1: ;) :) <3 =)',
  '\u202e@all\u2028> x',
  '| a | b |',
] as const

describe('in a channel', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await startSandbox()
  })
  afterAll(() => sandbox.close())

  /** The elements of the page of a channel with one message that holds the text wherever others write. */
  async function elementsOf(
    text: string,
    make: (text: string) => unknown = (each) => messageOf(each).attachments,
  ): Promise<readonly string[]> {
    sandbox.reset()
    const channel_id = sandbox.mattermost.channelId('Town Square')
    const answer = await fetch(`${sandbox.addresses.mattermost}/api/v4/posts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.mattermost.botToken}` },
      body: JSON.stringify({ channel_id, props: { attachments: make(text) } }),
    })
    expect(answer.status).toBe(201)
    const page = await fetch(`${sandbox.addresses.mattermost}/channels/${channel_id}`)
    const [, html = ''] = (await page.text()).split('<div class="messages">')
    const tags = html.match(/<[a-z0-9]+(?: [^>]*)?>/g) ?? []
    return tags.map((tag) => tag.replaceAll(/ (?:id|datetime|title)="[^"]*"/g, ''))
  }

  function messageOf(text: string) {
    return renderMessage({
      ...empty,
      summary: [quote(text, 200)],
      headline: [quote(text, 200)],
      links: [link('https://a.example/', quote(text, 200))],
      facts: [[quote(text, 200)], [strong(quote(text, 200))], [code('x', 10), quote(text, 200)]],
      sections: [
        {
          title: [quote(text, 100)],
          lines: [[quote(text, 200)]],
          hidden: 1,
          moreUrl: null,
          share: 0.4,
        },
      ],
      footer: [[quote(text, 100)]],
    })
  }

  it.each(hostile)('%j is text wherever it stands', async (text) => {
    expect(await elementsOf(text)).toEqual(await elementsOf('harmless'))
  })

  it('control: sent as they are, they would be more', async () => {
    const plain = (text: string) => [{ text }]
    const alone = await elementsOf('harmless', plain)
    // Three of them are harmless by themselves.
    const alive = new Set(['end `', 'a](https://evil.example) [b', '| a | b |'])
    const same: string[] = []
    for (const text of hostile) {
      const shown = await elementsOf(text, plain)
      if (JSON.stringify(shown) === JSON.stringify(alone)) same.push(text)
    }
    expect(same.filter((text) => !alive.has(text))).toEqual([])
  })
})
