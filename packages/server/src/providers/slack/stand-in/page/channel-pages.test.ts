import { describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../../sandbox/src/testing/open-sandbox.ts'
import { connect, usualScopes } from '../testing/slack-client.ts'

const sandbox = await openSandbox()

async function page(channel = 'general'): Promise<string> {
  const id = sandbox.slack.channelId(channel)
  return (await fetch(`${sandbox.addresses.slackWeb}/channels/${id}`)).text()
}

/** The page's content for a text, and for a text in a section. */
async function shown(text: string): Promise<string> {
  sandbox.slack.say('general', 'ada', text)
  const body = /<div class="body">(.*?)<\/div>/s.exec(await page())?.[1]
  return body ?? ''
}

describe('who looks at a channel', () => {
  it('meets no fault, takes none from the product, and is no request to Slack', async () => {
    sandbox.slack.say('general', 'ada', 'hello')
    sandbox.faults.add({ provider: 'slack', fault: { kind: 'answer', status: 429 } })
    const asked = sandbox.log.list().length
    expect(await page()).toContain('hello')
    expect(sandbox.faults.list()).toHaveLength(1)
    expect(sandbox.log.list()).toHaveLength(asked)
  })
})

describe('mrkdwn', () => {
  it.each([
    ['bold, italic and strike', '*one* _two_ ~three~', '<b>one</b> <i>two</i> <s>three</s>'],
    ['one inside the other', '*_both_*', '<b><i>both</i></b>'],
    ['code, in which nothing else counts', '`*a* &lt;b&gt;`', '<code>*a* &lt;b&gt;</code>'],
    ['preformatted text', '```\nnpm *ci*\n```', '<pre>npm *ci*\n</pre>'],
    ['a quote', '&gt; quoted\n> more\nnot', '<blockquote>quoted<br>more</blockquote>not'],
    ['lines', 'one\ntwo', 'one<br>two'],
    [
      'a link',
      '<https://acme.example/?a=1&amp;b=2|the *site*>',
      '<a href="https://acme.example/?a=1&amp;b=2" rel="noreferrer">the *site*</a>',
    ],
    [
      'a bare link',
      '<https://acme.example>',
      '<a href="https://acme.example" rel="noreferrer">https://acme.example</a>',
    ],
    [
      'an address',
      '<mailto:ada@acme.example|Ada>',
      '<a href="mailto:ada@acme.example" rel="noreferrer">Ada</a>',
    ],
    ['a person', '<@U0ADA00001>', '<span class="mention">@ada</span>'],
    ['a channel', '<#C0GENERAL1>', '<span class="mention">#general</span>'],
    ['everybody', '<!here>', '<span class="mention">@here</span>'],
    ['a group', '<!subteam^S1|@crew>', '<span class="mention">@crew</span>'],
    ['a date', '<!date^1760000000^{date}|9 October>', '9 October'],
    ['an emoji', ':rocket: :unheard_of:', '🚀 :unheard_of:'],
    [
      'escapes, of which there are three',
      '&lt;@U0ADA00001&gt; &amp;amp; &quot;',
      '&lt;@U0ADA00001&gt; &amp;amp; &amp;quot;',
    ],
  ])('renders %s', async (_, text, html) => {
    expect(await shown(text)).toBe(html)
  })

  it.each([
    ['marks inside a word', 'snake_case_name 2*3*4'],
    ['marks around spaces', '* one * _ two _'],
    ['marks across lines', '*one'],
  ])('leaves alone %s', async (_, text) => {
    expect(await shown(text)).toBe(text)
  })

  it.each([
    ['HTML', '<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['a link to code', '<javascript:alert(1)|here>', '&lt;javascript:alert(1)|here&gt;'],
    [
      'quotes in a link',
      '<https://acme.example/"onclick="x|here>',
      '<a href="https://acme.example/&quot;onclick=&quot;x" rel="noreferrer">here</a>',
    ],
  ])('lets no %s into the page', async (_, text, html) => {
    expect(await shown(text)).toBe(html)
  })
})

describe('the page of a channel', () => {
  it('shows blocks in the place of the text', async () => {
    const { call } = await connect(sandbox)
    await call('chat.postMessage', {
      channel: 'C0GENERAL1',
      text: 'only a notification',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: ':rocket: *Shop* &amp; more' } },
        {
          type: 'section',
          text: { type: 'mrkdwn', text: '*Deployed*' },
          fields: [{ type: 'mrkdwn', text: '_by_ <@U0ADA00001>' }],
          accessory: { type: 'image', image_url: 'https://acme.example/a.png', alt_text: 'A face' },
        },
        { type: 'divider' },
        { type: 'context', elements: [{ type: 'plain_text', text: 'a *b*' }] },
        {
          type: 'actions',
          elements: [
            {
              type: 'button',
              text: { type: 'plain_text', text: 'Open' },
              url: 'https://acme.example/run',
              style: 'primary',
            },
            {
              type: 'button',
              text: { type: 'plain_text', text: 'Run' },
              url: 'javascript:alert(1)',
            },
          ],
        },
        {
          type: 'image',
          image_url: 'https://acme.example/c.png',
          alt_text: 'A chart',
          title: { type: 'plain_text', text: 'Load' },
        },
      ],
    })
    const html = await page()
    expect(html).not.toContain('only a notification')
    for (const part of [
      '<h2>🚀 *Shop* &amp; more</h2>',
      '<b>Deployed</b>',
      '<i>by</i> <span class="mention">@ada</span>',
      'aria-label="A face"',
      '<hr>',
      '<span>a *b*</span>',
      '<a class="button primary" href="https://acme.example/run" rel="noreferrer">Open</a>',
      '<span class="button">Run</span>',
      '<figcaption>Load</figcaption>',
      'aria-label="A chart"',
    ]) {
      expect(html).toContain(part)
    }
  })

  it('counts the edits and keeps what was there before', async () => {
    const { call } = await connect(sandbox)
    const channel = 'C0GENERAL1'
    const { ts } = await call('chat.postMessage', { channel, text: 'Queued' })
    await call('chat.update', { channel, ts, text: 'Deploying' })
    await call('chat.update', { channel, ts, text: 'Deployed' })
    const html = await page()
    expect(html).toContain('edited 2 times')
    const order = ['Deployed</div>', 'Queued</div>', 'Deploying</div>'].map((text) =>
      html.indexOf(text),
    )
    expect(order).not.toContain(-1)
    expect(order).toEqual(order.toSorted((one, other) => one - other))
  })

  it('shows answers in the thread, and in the channel those that were meant for it', async () => {
    const { call } = await connect(sandbox)
    const channel = 'C0GENERAL1'
    const { ts: thread_ts } = await call('chat.postMessage', { channel, text: 'Deployed' })
    await call('chat.postMessage', { channel, text: 'Only there', thread_ts })
    await call('chat.postMessage', { channel, text: 'In both', thread_ts, reply_broadcast: true })
    const html = await page()
    expect(html).toContain('2 replies')
    expect(html.split('Only there')).toHaveLength(2)
    expect(html.split('In both')).toHaveLength(3)
    expect(html).toContain('replied to a thread')
  })

  it('shows no deleted message, but its mark while it has answers', async () => {
    const { call } = await connect(sandbox)
    const channel = 'C0GENERAL1'
    const ts = sandbox.slack.say('general', 'ada', 'Gone')
    const asked = sandbox.slack.say('general', 'ada', 'Asked')
    await call('chat.postMessage', { channel, text: 'Answered', thread_ts: asked })
    sandbox.slack.deleteMessage('general', ts)
    sandbox.slack.deleteMessage('general', asked)
    const html = await page()
    expect(html).not.toContain('Gone')
    expect(html).not.toContain('Asked')
    expect(html.split('This message was deleted.')).toHaveLength(2)
    expect(html).toContain('Answered')
  })

  it('shows reactions', async () => {
    const { call } = await connect(sandbox, [...usualScopes, 'reactions:write'])
    const timestamp = sandbox.slack.say('general', 'ada', 'Hello')
    await call('reactions.add', { channel: 'C0GENERAL1', timestamp, name: 'tada' })
    expect(await page()).toContain('<span>🎉 1</span>')
  })

  it('leads to every channel, and marks private and archived ones', async () => {
    const html = await page('releases')
    expect(html).toContain('aria-current="page"># releases (private)</a>')
    expect(html).toContain('<a href="/slack/channels/C0OLD00001"># old (archived)</a>')
  })
})

describe('the pages', () => {
  it('begin with the first channel', async () => {
    const response = await fetch(`${sandbox.addresses.slackWeb}/channels`, { redirect: 'manual' })
    expect(response.headers.get('location')).toBe(
      `${sandbox.addresses.slackWeb}/channels/C0GENERAL1`,
    )
  })

  it('answer 404 for what is not there', async () => {
    for (const path of ['/channels/C0NOWHERE1', '/nowhere']) {
      expect((await fetch(`${sandbox.addresses.slackWeb}${path}`)).status).toBe(404)
    }
  })
})
