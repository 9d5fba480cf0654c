import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { renderDeploymentMessage } from '../../notifications/messages/render-deployment-message.ts'
import { renderFailure, renderThread } from '../../notifications/messages/render-thread.ts'
import type { DeploymentView } from '../../read-models/notifications/deployment-view.ts'
import { hostileView } from '../../notifications/testing/hostile-view.ts'
import { code, link, quote, sign, strong, toLine, type ChatMessage } from './chat-message.ts'
import { discordReader } from '../discord/testing/read-rendered.ts'
import { providersOfKind } from '../find-provider.ts'
import { mattermostReader } from '../mattermost/testing/read-rendered.ts'
import { slackReader } from '../slack/testing/read-rendered.ts'
import type { RenderedReader } from '../testing/rendered.ts'

/** Maps each chat to what reads its messages. */
const readers: Readonly<Record<string, RenderedReader>> = {
  slack: slackReader,
  discord: discordReader,
  mattermost: mattermostReader,
}

/** As many as the check has time for. A longer proof tries more. */
const textRuns = 200 * inject('scale')
const viewRuns = 50 * inject('scale')

const pieces = [
  '<!channel>', '<@U012AB>', '<@123>', '<@&123>', '<#123>', '<t:1700000000>', '</run:123>', '<:tada:123>', '@here', '@everyone',
  '#general', '~town-square', ':tada:', ':)', ':o', 'x-d', '<3', '&amp;', '**bold**', '*it*', '__under__', '_it_', '~~gone~~', '~s~', '||hidden||', '`code`', '```', '> quote', '# head',
  '-# small', '- item', '1. item', '[text](https://evil.example)', '<https://evil.example|Log>', 'https://evil.example/', 'www.evil.example',
  'www2.evil.example', 'evil.com/x', 'ada@evil.com', 'mailto:ada@evil.com', '![x](https://evil.example/x.png)', '<b>', '\\', '\\*',
  '&lt;', '|', '>', '<', '&', '*', '_', '~', '`', '(', ')', '[', ']', '$x$', '\n', '\n# head', '\u2028', '\u202e', '👩‍💻', 'ß', 'x', ' ',
] // prettier-ignore
const foreign = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(''))
  .filter((text) => toLine(text).replaceAll('`', '') !== '')

/** Builds a message with foreign texts wherever one may stand. */
function build([
  first = 'x',
  second = 'x',
  third = 'x',
  fourth = 'x',
]: readonly string[]): ChatMessage {
  const at = 'https://signalbox.acme.dev/a'
  return {
    tone: 'failure',
    summary: ['Summary ', quote(first, 200)],
    headline: ['Deployed to ', quote(first, 60)],
    links: [link(at, 'Open ', quote(second, 200)), link(null, 'Log')],
    facts: [[strong(quote(third, 200)), ' · ', code(fourth, 200)], [quote(first, 200)], [code(second, 200)]],
    actions: [link(`${at}?b=1`, quote(third, 200))],
    sections: [
      {
        title: [strong('Issues')],
        lines: [['• ', link(at, quote(first, 200)), ' ', quote(second, 200)], [sign('success'), quote(third, 200)], [quote(fourth, 200)]],
        hidden: 2,
        moreUrl: at,
        share: 0.5,
      },
    ],
    footer: [[quote(first, 200)], ['by ', quote(second, 200)]],
  } // prettier-ignore
}

it('every chat of the registry is read here', () => {
  expect(Object.keys(readers)).toEqual(providersOfKind('chat').map(({ name }) => name))
})

describe.each(Object.entries(readers))('a message in %s', (_chat, { read, readLine }) => {
  it('is no more than its own words and types make of it, whatever others wrote', () => {
    const { mentions, links, styles, lines } = read(build([]))
    expect(mentions).toBe(0)
    fc.assert(
      fc.property(fc.array(foreign, { minLength: 4, maxLength: 4 }), (texts) => {
        const shown = read(build(texts))
        expect(shown).toMatchObject({ mentions: 0, links, styles, lines, tooLong: [] })
      }),
      { numRuns: textRuns, seed: 20_261_126 },
    )
  })

  it('is below every limit, however long everything is', () => {
    const page = 'https://signalbox.acme.dev/deployments/dep_1'
    const render = (view: DeploymentView) => [
      renderDeploymentMessage(view, page),
      renderThread(view, page) ?? build([]),
      renderFailure(view),
    ]
    const tooLong = fc
      .sample(hostileView, { numRuns: viewRuns, seed: 20_261_126 })
      .flatMap((view) => render(view).flatMap((message) => read(message).tooLong))
    expect(tooLong).toEqual([])
  })

  it('says how many lines are missing, and shows that a text was cut', () => {
    const total = 200
    const lines = Array.from({ length: total }, (_, at) => [`line-${at} ${'y'.repeat(90)}`])
    const section = { title: null, lines, hidden: 3, moreUrl: null, share: 0.4 }
    const { text } = read({ ...build([]), sections: [section] })
    const shownLines = (text.match(/line-\d+/g) ?? []).length
    expect(shownLines).toBeGreaterThan(5)
    expect(text).toContain(`and ${total + 3 - shownLines} more`)
    expect(read({ ...build([]), facts: [[quote('z'.repeat(300), 50)]] }).text).toContain('z…')
    expect(read({ ...build([]), headline: ['z'.repeat(400)] }).text).toContain('z…')
  })

  it('shows no mark of its markup to people', () => {
    expect(read(build([])).text).not.toMatch(/[*`~<>\\]|\]\(/)
  })

  it('control: sent as they are, texts of others would mention, link and format', () => {
    const alive = pieces.map((piece) => readLine(`${piece} x`))
    expect(alive.filter(({ mentions }) => mentions > 0).length).toBeGreaterThan(2)
    expect(alive.filter(({ links }) => links.length > 0).length).toBeGreaterThan(1)
    expect(alive.filter(({ styles }) => styles > 0).length).toBeGreaterThan(4)
  })

  it('control: the reader sees what a renderer would let through', () => {
    const plain = read(build([]))
    const strongOne = read({ ...build([]), facts: [...build([]).facts, [strong('more')]] })
    expect(strongOne.styles).toBeGreaterThan(plain.styles)
    const linked = link('https://evil.example/', 'x')
    expect(read({ ...build([]), actions: [linked] }).links).toContain('https://evil.example/')
    expect(read({ ...build([]), facts: [['a'], ['b'], ['c'], ['d']] }).lines).toBe(plain.lines + 1)
  })
})
