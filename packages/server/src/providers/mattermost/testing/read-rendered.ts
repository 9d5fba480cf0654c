import { Parser, type Node } from '@mattermost/commonmark'
import type { ReadText, RenderedReader } from '../../testing/rendered.ts'
import { renderMessage } from '../render-message.ts'

/**
 * Limits in characters: a footer is cut by the web application; everything else by nobody, so that it is held below what a
 * post may have without attachments.
 */
const limits = { footer: 300, fallback: 1_000, title: 500, total: 16_383 } as const

const mentions: ReadonlySet<string> = new Set(['at_mention', 'channel_link', 'hashtag'])
/** Lists the types of nodes that are no more than words in their lines. */
const plain: ReadonlySet<string> = new Set([
  'document',
  'paragraph',
  'text',
  'softbreak',
  'linebreak',
  'link',
])

/** Finds what the web application makes more of where it reads no Markdown: addresses, hashtags, emoji and emoticons. */
const looked = /https?:\/\/\S+|www\d*\.\S+|[#~@][a-z]|:[\w+-]+:|<3/gi

/**
 * Reads a message as Mattermost shows it, by its own parser of Markdown. `package.json` overrides two of the parser's dependencies
 * by releases without the 73 packages that only old browsers need.
 */
export const mattermostReader: RenderedReader = {
  read(message) {
    const [attachment] = renderMessage(message).attachments
    if (attachment === undefined) throw new Error('The message has no attachment')
    const { fallback, title, title_link: href, text, fields, footer } = attachment
    // The title of an attachment that leads nowhere is Markdown; one that does is not.
    const marked = [
      ...(href === undefined ? [title] : []),
      text,
      ...fields.map(({ value }) => value),
    ]
    const unmarked = [
      ...(href === undefined ? [] : [title]),
      ...fields.map((field) => field.title),
      footer,
      fallback,
    ]
    const nodes = marked.flatMap(nodesOf)
    const { mentions, links, styles } = readNodes(nodes)
    const sizes = { footer, fallback, title, total: JSON.stringify(attachment) }
    return {
      mentions: mentions + unmarked.flatMap((each) => each.match(looked) ?? []).length,
      links: [...(href === undefined ? [] : [href]), ...links],
      styles,
      lines: [...marked, ...unmarked].join('\n').split('\n').length,
      tooLong: Object.entries(limits).flatMap(([name, max]) =>
        sizes[name as keyof typeof sizes].length > max ? [name] : [],
      ),
      text: [...unmarked, ...nodes.map(({ literal }) => literal ?? '')].join(' '),
    }
  },
  readLine: (line) => readNodes(nodesOf(line)),
}

function readNodes(nodes: readonly Read[]): ReadText {
  return {
    mentions: nodes.filter(({ type }) => mentions.has(type)).length,
    links: nodes.flatMap(({ type, destination }) => (type === 'link' ? [destination ?? ''] : [])),
    styles: nodes.filter(({ type }) => !plain.has(type) && !mentions.has(type)).length,
  }
}

interface Read {
  readonly type: string
  readonly destination: string | null
  readonly literal: string | null
}

function nodesOf(markdown: string): readonly Read[] {
  const nodes: Read[] = []
  const walker = new Parser().parse(markdown).walker()
  for (let at = walker.next(); at !== null; at = walker.next()) {
    const { type, destination, literal }: Node = at.node
    if (at.entering) nodes.push({ type, destination, literal })
  }
  return nodes
}
