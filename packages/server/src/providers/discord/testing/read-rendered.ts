import { parse } from 'discord-markdown-parser'
import type { ReadText, RenderedReader } from '../../testing/rendered.ts'
import { renderMessage } from '../render-message.ts'

interface Node {
  readonly type: string
  readonly target?: string
  readonly content?: string | readonly Node[]
}

const limits = { title: 256, description: 4_096, footer: 2_048, total: 6_000 } as const
const plain: ReadonlySet<string> = new Set([
  'text',
  'br',
  'newline',
  'link',
  'url',
  'autolink',
  'twemoji',
])
const mentions: ReadonlySet<string> = new Set([
  'user', 'role', 'channel', 'everyone', 'here', 'slashCommand', 'guildNavigation', 'timestamp',
]) // prettier-ignore

/** Reads a message as Discord shows it, by a parser of its Markdown that others wrote. The footer has no markup. */
export const discordReader: RenderedReader = {
  read(message) {
    const key = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'
    const [embed] = renderMessage(message, key).embeds
    const { title = '', description = '', footer = { text: '' }, url } = embed ?? {}
    const nodes = [title, ...description.split('\n')].flatMap(nodesOf)
    const sizes = {
      title,
      description,
      footer: footer.text,
      total: title + description + footer.text,
    }
    const { mentions, links, styles } = readNodes(nodes)
    return {
      mentions,
      links: [...(url === undefined ? [] : [url]), ...links],
      styles,
      lines: [title, description, footer.text].join('\n').split('\n').length,
      tooLong: Object.entries(limits).flatMap(([name, max]) =>
        sizes[name as keyof typeof sizes].length > max ? [name] : [],
      ),
      text: nodes
        .map(({ content }) => (typeof content === 'string' ? content : ''))
        .concat(footer.text)
        .join(''),
    }
  },
  readLine: (line) => readNodes(nodesOf(line)),
}

function readNodes(nodes: readonly Node[]): ReadText {
  return {
    mentions: nodes.filter(({ type }) => mentions.has(type)).length,
    links: nodes.flatMap(({ type, target }) =>
      type === 'link' || type === 'url' || type === 'autolink' ? [target ?? ''] : [],
    ),
    styles: nodes.filter(({ type }) => !plain.has(type) && !mentions.has(type)).length,
  }
}

function nodesOf(line: string): readonly Node[] {
  return walk(parse(line, 'extended'))
}

function walk(nodes: readonly Node[]): readonly Node[] {
  return nodes.flatMap((node) => [
    node,
    ...(typeof node.content === 'object' ? walk(node.content) : []),
  ])
}
