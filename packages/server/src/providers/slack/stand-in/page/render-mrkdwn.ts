import { markup, type Markup } from '../../../../../../sandbox/src/http/page.ts'
import { joinLines } from '../../../../../../sandbox/src/models/chat-pages.ts'
import { emojiOf } from './emoji.ts'

/** Finds the name of a user `U…` or a channel `C…`. Returns `undefined` for an unknown id. */
export type NameOf = (id: string) => string | undefined

/**
 * Matches one piece of formatting in a line: code, a text in angle brackets, an escape, an emoji, or text between two
 * marks. A mark counts only at the edge of a word, as with Slack: `snake_case_name` is not italic.
 */
const piecePattern =
  /`(?<code>[^`\n]+)`|<(?<angled>[^<>\n]+)>|&(?<escape>amp|lt|gt);|(?<![\p{L}\p{N}:]):(?<emoji>[a-z0-9_+-]+):|(?<![\p{L}\p{N}])(?<mark>[*_~])(?!\s|\k<mark>)(?<marked>[^\n]*?[^\s\n])\k<mark>(?![\p{L}\p{N}])/gu

/** Renders Slack's mrkdwn (docs.slack.dev, formatting message text). The text cannot inject HTML. */
export function renderMrkdwn(text: string, nameOf: NameOf): Markup {
  // Every second part is preformatted.
  const parts = text.split(/```\n?([\s\S]+?)```\n?/)
  const rendered = parts.map((part, index) =>
    index % 2 === 1 ? markup`<pre>${decodeEscapes(part)}</pre>` : renderLines(part, nameOf),
  )
  return markup`${rendered}`
}

function renderLines(text: string, nameOf: NameOf): Markup {
  const groups: { readonly isQuote: boolean; readonly lines: Markup[] }[] = []
  for (const line of text.split('\n')) {
    const quoted = /^(?:>|&gt;) ?(.*)$/.exec(line)?.[1]
    const isQuote = quoted !== undefined
    const rendered = renderInline(quoted ?? line, nameOf)
    const group = groups.at(-1)
    if (group?.isQuote === isQuote) group.lines.push(rendered)
    else groups.push({ isQuote, lines: [rendered] })
  }
  const rendered = groups.map(({ isQuote, lines }) => {
    const content = joinLines(lines)
    return isQuote ? markup`<blockquote>${content}</blockquote>` : content
  })
  return markup`${rendered}`
}

function renderInline(text: string, nameOf: NameOf): Markup {
  const rendered: Markup[] = []
  let from = 0
  for (const match of text.matchAll(piecePattern)) {
    rendered.push(markup`${text.slice(from, match.index)}`, renderPiece(match, nameOf))
    from = match.index + match[0].length
  }
  return markup`${rendered}${text.slice(from)}`
}

function renderPiece({ 0: whole, groups = {} }: RegExpExecArray, nameOf: NameOf): Markup {
  const { code, angled, emoji, mark, marked } = groups
  if (code !== undefined) return markup`<code>${decodeEscapes(code)}</code>`
  if (angled !== undefined) return renderAngled(angled, nameOf)
  if (emoji !== undefined) return markup`${emojiOf(emoji)}`
  if (mark === undefined || marked === undefined) return markup`${decodeEscapes(whole)}`
  const inner = renderInline(marked, nameOf)
  if (mark === '*') return markup`<b>${inner}</b>`
  return mark === '_' ? markup`<i>${inner}</i>` : markup`<s>${inner}</s>`
}

/** Renders a link, a mention, or a date. Links are http, https or mailto; anything else stays text. */
function renderAngled(angled: string, nameOf: NameOf): Markup {
  const [target = '', label] = angled.split(/\|(.*)/s)
  const [kind, id] = [target.slice(0, 1), target.slice(1)]
  if (kind === '@') return mention(`@${nameOf(id) ?? label ?? id}`)
  if (kind === '#') return mention(`#${nameOf(id) ?? label ?? id}`)
  if (kind === '!') return renderSpecial(id, label)
  const url = decodeEscapes(target)
  if (!/^(?:https?:\/\/|mailto:)/i.test(url)) return markup`${`<${decodeEscapes(angled)}>`}`
  const text = decodeEscapes(label ?? url.replace(/^mailto:/i, ''))
  return markup`<a href="${url}" rel="noreferrer">${text}</a>`
}

function renderSpecial(id: string, label: string | undefined): Markup {
  if (['here', 'channel', 'everyone'].includes(id)) return mention(`@${id}`)
  return id.startsWith('date^') ? markup`${decodeEscapes(label ?? id)}` : mention(label ?? `@${id}`)
}

function mention(text: string): Markup {
  return markup`<span class="mention">${text}</span>`
}

/** Decodes the three escapes that Slack knows: `&amp;`, `&lt;` and `&gt;`. */
export function decodeEscapes(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
