import { markup, type Markup } from '../../http/page.ts'

/**
 * Matches one piece of formatting: an escaped character, code, a link with a label, an address, a mention, or text between two marks. The
 * order is Discord's: an escape comes first.
 */
const piece =
  /\\(?<escaped>[^\s0-9A-Za-z])|`(?<code>[^`\n]+)`|\[(?<label>(?:\\.|[^\]\\])+)\]\((?<href>https?:\/\/[^\s)]+)\)|(?<bare>https?:\/\/[^\s<)\]]+)|(?<mention><(?:@[!&]?|#)\d+>|@everyone|@here)|(?<mark>\*\*|__|~~|\|\||\*|_)(?=\S)(?<marked>(?:\\.|(?!\k<mark>)[^\\])+?)\k<mark>|:(?<emoji>\w+):/u

/** Renders Discord's Markdown. The text cannot inject HTML. */
export function renderMarkdown(text: string): Markup {
  const lines = text.split('\n').map(renderLine)
  return join(lines, markup`<br>`)
}

function renderLine(line: string): Markup {
  const heading = /^(?<marks>#{1,3}|-#) (?<rest>.*)$/.exec(line)?.groups
  if (heading !== undefined)
    return markup`<b class="heading">${renderInline(heading['rest'] ?? '')}</b>`
  const quoted = /^> (?<rest>.*)$/.exec(line)?.groups?.['rest']
  return quoted === undefined
    ? renderInline(line)
    : markup`<span class="quote">${renderInline(quoted)}</span>`
}

function renderInline(text: string): Markup {
  const match = piece.exec(text)
  if (match === null) return markup`${text}`
  const before = text.slice(0, match.index)
  const after = text.slice(match.index + match[0].length)
  return join([markup`${before}`, renderPiece(match), renderInline(after)])
}

function renderPiece({ 0: whole, groups = {} }: RegExpExecArray): Markup {
  const { escaped, code, label, href, bare, mention, mark, marked } = groups
  if (escaped !== undefined) return markup`${escaped}`
  if (code !== undefined) return markup`<code>${code}</code>`
  if (label !== undefined) {
    return markup`<a href="${href ?? ''}" rel="noreferrer">${renderInline(label)}</a>`
  }
  if (bare !== undefined) return markup`<a href="${bare}" rel="noreferrer">${bare}</a>`
  if (mention !== undefined) return markup`<span class="mention">${mention}</span>`
  const inner = marked === undefined ? undefined : renderInline(marked)
  const render = mark === undefined ? undefined : styles.get(mark)
  return inner === undefined || render === undefined ? markup`${whole}` : render(inner)
}

/** Renders the text between two marks. */
const styles = new Map<string, (inner: Markup) => Markup>([
  ['**', (inner) => markup`<b>${inner}</b>`],
  ['__', (inner) => markup`<u>${inner}</u>`],
  ['~~', (inner) => markup`<s>${inner}</s>`],
  ['||', (inner) => markup`<span class="spoiler">${inner}</span>`],
  ['*', (inner) => markup`<i>${inner}</i>`],
  ['_', (inner) => markup`<i>${inner}</i>`],
])

function join(parts: readonly Markup[], between?: Markup): Markup {
  return {
    html: parts.map(({ html }) => html).join(between?.html ?? ''),
  }
}
