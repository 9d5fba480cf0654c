import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatMessage } from '../../providers/chat/chat-message.ts'
import { renderMessage, type SlackMessage } from '../../providers/slack/render-message.ts'
import { renderAttention, renderConfiguration } from './render-attention.ts'
import { renderChangeRequest } from './render-change-request.ts'
import { renderDeploymentMessage } from './render-deployment-message.ts'
import { toCompact } from './render-notice.ts'
import { renderTestMessage } from './render-test-message.ts'
import { renderFailure, renderThread } from './render-thread.ts'
import {
  buildFlagView,
  buildIssue,
  buildProofView,
  buildRequestView,
  buildTestRun,
  buildView,
} from '../testing/build-view.ts'
import { openSlack, type SlackWorkspace } from '../testing/open-slack.ts'

/** Lists texts that Slack would read as markup if they were not escaped. */
const hostile = [
  '<!channel> now',
  '<!here|x>',
  '<@U0ADA00001> look',
  '<#C0GENERAL1>',
  '<https://evil.example|Open production>',
  'a> <https://evil.example|x',
  '&lt;!channel&gt; &amp;lt;',
  '*bold* _it_ ~gone~',
  'x *y* z',
  '`code` and ```pre```',
  'a ` b ` c',
  'end `',
  '> quoted',
  'one\n> two\n```three```',
  ':tada: :tada:',
  '<mailto:ada@acme.example|Log>',
  '<!date^0^{date}|x>',
  '\u202e<!everyone>\u2028> x',
  '|*x*>',
] as const

/** Lists the hostile texts that make no element alone, but only next to our markup or another text. */
const harmlessAlone: ReadonlySet<string> = new Set([
  'a> <https://evil.example|x',
  'end `',
  '<!date^0^{date}|x>',
  '&lt;!channel&gt; &amp;lt;',
])

const url = 'https://signalbox.acme.dev/deployments/dep_1'

/** Every message there is, with the text in every place that somebody else writes. */
function everyMessage(text: string): SlackMessage[] {
  const run = { name: text, reason: text, failing: [text, text] }
  const commit = { sha: text, message: text, author: text, url: null }
  const view = buildView({
    environment: text,
    repository: text,
    ref: text,
    who: text,
    description: text,
    relation: 'hotfix',
    commits: [commit, commit],
    commitCount: 2,
    issues: [buildIssue({ key: text, title: text, status: text })],
    testRuns: [buildTestRun({ ...run, state: 'failed', warnings: [text] })],
    configVersions: [{ schema: text, version: 2 }],
  })
  const attention = { kind: 'tracker', provider: text, account: text, reason: text, nextStep: text }
  const configuration = {
    environment: text,
    schema: text,
    who: text,
    comment: text,
    keys: [text],
    flags: [buildFlagView(text)],
    proof: buildProofView(text, {
      state: 'failed',
      reason: text,
      notRestored: text,
      restored: [{ environment: `${text}2`, version: 3 }],
    }),
  }
  const messages: readonly (ChatMessage | undefined)[] = [
    renderDeploymentMessage(view, url),
    renderThread(view, url),
    renderFailure(view),
    toCompact(renderDeploymentMessage(view, url), url),
    renderTestMessage({ organization: text, who: text, url }),
    renderAttention({ ...attention, state: 'reauth_required' }, url),
    renderConfiguration({ ...configuration, version: 2 }, url),
    renderConfiguration(
      { ...configuration, version: 2, proof: buildProofView(text, { stoppedBy: text }) },
      url,
    ),
    renderChangeRequest(buildRequestView(text), url),
    renderChangeRequest(buildRequestView(text, { keys: [], conflict: [text] }), url),
    renderChangeRequest(
      buildRequestView(text, {
        state: 'applied',
        overridden: { who: text, comment: text, acknowledgedBy: text },
      }),
      url,
    ),
  ]
  const rendered = messages.filter((message) => message !== undefined).map(renderMessage)
  // A notification on a phone shows the text without the blocks.
  return [...rendered, ...rendered.map(({ text: alone }) => ({ text: alone, blocks: [] }))]
}

let world: SlackWorkspace
let channels = 0
/** The elements of every message with a text that is harmless, and of that text alone. */
let harmless: { readonly everywhere: readonly string[]; readonly alone: readonly string[] }
beforeAll(async () => {
  world = await openSlack()
  await world.connect()
  const everywhere = await show(everyMessage('harmless'))
  const alone = await show([{ text: 'harmless', blocks: [] }])
  harmless = { everywhere: everywhere.elements, alone: alone.elements }
})
afterAll(() => world.close())

/** Posts messages to a new channel, and returns the HTML of its page and the tags in it, with the targets of links. */
async function show(
  messages: readonly SlackMessage[],
): Promise<{ html: string; elements: string[] }> {
  channels += 1
  const channelId = world.sandbox.slack.addChannel({ name: `channel-${channels}` })
  for (const message of messages) await world.postAsWritten(channelId, message)
  const page = await fetch(`${world.sandbox.addresses.slackWeb}/channels/${channelId}`)
  const [, html = ''] = (await page.text()).split('<div class="messages">')
  const tags = html.match(/<[a-z0-9]+(?: [^>]*)?>/g) ?? []
  return { html, elements: tags.map((tag) => tag.replaceAll(/ (?:id|datetime)="[^"]*"/g, '')) }
}

describe('text that others wrote', () => {
  it.each(hostile)('%j is text wherever it stands', async (text) => {
    const shown = await show(everyMessage(text))
    expect(shown.elements).toEqual(harmless.everywhere)
    expect(shown.html).not.toContain('🎉')
    expect(shown.html).not.toContain('class="mention"')
  })

  it.each(hostile.filter((text) => !harmlessAlone.has(text)))(
    'control: %j would be more, sent as it is',
    async (text) => {
      const shown = await show([{ text, blocks: [] }])
      const isMore = shown.elements.join('') !== harmless.alone.join('')
      expect(isMore || shown.html.includes('🎉')).toBe(true)
    },
  )
})
