import { describe, expect, it } from 'vitest'
import { link, quote, strong, type ChatMessage } from '../chat/chat-message.ts'
import { toMarkdown } from './message-text.ts'
import { renderMessage, renderThreadName, type DiscordEmbed } from './render-message.ts'

const empty: ChatMessage = {
  tone: 'success',
  summary: ['Deployed'],
  headline: ['Deployed'],
  links: [],
  facts: [],
  actions: [],
  sections: [],
  footer: [],
}
const key = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'
const lines = Array.from({ length: 100 }, (_, at) => [`${at} ${'x'.repeat(96)}`])
const lists = [0.28, 0.28, 0.24].map((share) => ({
  title: [strong('List')],
  lines,
  hidden: 3,
  moreUrl: 'https://signalbox.acme.dev/deployments/dep_1',
  share,
}))

function embedOf(parts: Partial<ChatMessage>): DiscordEmbed {
  const [embed] = renderMessage({ ...empty, ...parts }, key).embeds
  if (embed === undefined) throw new Error('The message has no embed')
  return embed
}

describe('an embed', () => {
  it.each(['x', '*'])('has a title of 256 characters at the most: %s', (character) => {
    const { title = '' } = embedOf({ headline: [quote(character.repeat(300), 300)] })
    expect(title.length).toBeLessThanOrEqual(256)
    expect(title.length).toBeGreaterThan(253)
    expect(title).toMatch(/…$/)
  })

  it.each([
    ['facts', { facts: lines }],
    ['lists', { facts: lines, sections: lists }],
    [
      'lists and links below',
      { facts: lines, sections: lists, footer: [[linkOf(1)], [linkOf(2)]] },
    ],
    ['lists that want more than there is', { facts: lines, sections: [...lists, ...lists] }],
  ])('has a description of 4,096 characters at the most: %s', (_, parts) => {
    const { description = '' } = embedOf(parts)
    expect(description.length).toBeLessThanOrEqual(4_096)
    expect(description.length).toBeGreaterThan(3_300)
    expect(description).toMatch(/and \d+ more/)
  })

  it('has 6,000 characters in all at the most, and ends with what it is found by', () => {
    const footer = [[quote('y'.repeat(3_000), 3_000)]]
    const embed = embedOf({ headline: ['x'.repeat(300)], facts: lines, footer })
    const small = embed.footer?.text ?? ''
    expect(small).toMatch(/y… · id [\w-]{11}$/)
    expect(small.length).toBeLessThanOrEqual(2_048)
    const texts = [embed.title, embed.description, small].map((text = '') => text)
    expect(texts.join('').length).toBeLessThanOrEqual(6_000)
    expect(texts.join('').length).toBeGreaterThan(5_700)
  })

  it('has no fields: the description holds the lists', () => {
    expect(Object.keys(embedOf({ facts: lines, sections: lists })).toSorted()).toEqual([
      'color',
      'description',
      'footer',
      'title',
    ])
  })

  it('names a thread in 1 to 100 characters', () => {
    expect(renderThreadName({ ...empty, summary: [] })).toBe('Details')
    const name = renderThreadName({ ...empty, summary: ['👍'.repeat(200)] })
    expect(name.length).toBeLessThanOrEqual(100)
  })
})

function linkOf(at: number) {
  return link(`https://a.example/${at}${'a'.repeat(400)}`, 'All')
}

describe('text of others', () => {
  it.each(['\\', '*', '_', '~', '`', '|', '>', '[', ']', '(', ')', '<', '#', '+', '-'])(
    'keeps %s as a character',
    (character) => {
      expect(toMarkdown([`a ${character} b`])).toBe(`a \\${character} b`)
    },
  )

  it.each([
    ['@everyone', '@\u2060everyone'],
    ['<@123>', '\\<@\u2060123\\>'],
    ['1. first', '1\\. first'],
    ['https://evil.example', 'https:\u2060//evil.example'],
    [':tada:', '\\:tada:'],
  ])('is no more than text: %s', (text, markdown) => {
    expect(toMarkdown([quote(text, 100)])).toBe(markdown)
  })

  it('is no link where the address is none that a browser opens', () => {
    for (const url of [
      'javascript:alert(1)',
      'https://a@b.example',
      'https://:a@b.example',
      'no',
    ]) {
      expect(toMarkdown([link(url, 'Log')])).toBe('Log')
    }
    expect(toMarkdown([link(`https://x.example/${'a'.repeat(500)}`, 'Log')])).toBe('Log')
    expect(toMarkdown([link('https://x.example/a_(b)', 'Log')])).toBe(
      '[Log](https://x.example/a%5f%28b%29)',
    )
  })
})
