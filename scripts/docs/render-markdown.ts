import { escapeHtml } from '../../packages/server/src/http/answers/document-page.ts'
import { renderInline, type LinkTo } from './render-inline.ts'

export interface Heading {
  readonly level: number
  /** Where a link to it leads, as GitHub names it. */
  readonly id: string
  /** HTML. */
  readonly title: string
}

export interface RenderedMarkdown {
  readonly html: string
  readonly headings: readonly Heading[]
}

/**
 * Renders the project's own pages as HTML. Knows the Markdown that they use: headings to the third level, paragraphs, lists
 * of one level, tables, fenced code, comments, disclosures (`<details>`); within a line code, bold and emphasized text, links.
 *
 * @throws for anything else, so that no page is served with its markup showing.
 */
export function renderMarkdown(markdown: string, linkTo: LinkTo): RenderedMarkdown {
  const headings: Heading[] = []
  const lines = markdown.replaceAll(/^<!--[\s\S]*?-->$/gm, '').split('\n')
  const html: string[] = []
  for (let at = 0; at < lines.length;) {
    const block = takeBlock(lines, at)
    at = block.end
    if (block.kind === 'heading') headings.push(toHeading(block.lines, headings, linkTo))
    html.push(renderBlock(block, headings, linkTo))
  }
  return { html: html.filter((block) => block !== '').join('\n'), headings }
}

type Kind = 'blank' | 'code' | 'disclosure' | 'heading' | 'table' | 'bullets' | 'numbers' | 'text'

interface Block {
  readonly kind: Kind
  readonly lines: readonly string[]
  /** The first line after it. */
  readonly end: number
}

const beginnings: readonly (readonly [Kind, RegExp])[] = [
  ['blank', /^\s*$/],
  ['code', /^```/],
  ['disclosure', /^<details>$/],
  ['heading', /^#{1,3} /],
  ['table', /^\|/],
  ['bullets', /^- /],
  ['numbers', /^\d+\. /],
]

/** Quotes, images, HTML, code by indentation, deeper headings, other bullets: nothing here renders them. */
const unknown = /^(?:>|!\[|<|\s|#{4,}|[*+] )/

function kindOf(line: string): Kind {
  return beginnings.find(([, pattern]) => pattern.test(line))?.[0] ?? 'text'
}

function takeBlock(lines: readonly string[], start: number): Block {
  const first = lines[start] ?? ''
  const kind = kindOf(first)
  if (kind === 'text' && unknown.test(first)) throw new Error(`Nothing renders this line: ${first}`)
  let end = start + 1
  if (kind === 'code') {
    while (end < lines.length && lines[end] !== '```') end += 1
    return { kind, lines: lines.slice(start, end), end: end + 1 }
  }
  if (kind === 'disclosure') return takeDisclosure(lines, start)
  const goesOn = (line: string) => {
    if (kind === 'blank' || kind === 'heading') return false
    if (kind === 'table' || kind === 'text') return kindOf(line) === kind
    // An item goes on in lines that are indented; a nested list would be one of them, and is refused.
    if (/^\s+(?:[-*+]|\d+\.) /.test(line)) throw new Error(`Nothing renders this line: ${line}`)
    return kindOf(line) === kind || /^\s+\S/.test(line)
  }
  while (end < lines.length && goesOn(lines[end] ?? '')) end += 1
  return { kind, lines: lines.slice(start, end), end }
}

function takeDisclosure(lines: readonly string[], start: number): Block {
  const end = lines.indexOf('</details>', start)
  if (end < 0) throw new Error(`Nothing closes the disclosure: ${lines[start + 1] ?? ''}`)
  return { kind: 'disclosure', lines: lines.slice(start + 1, end), end: end + 1 }
}

function renderBlock({ kind, lines }: Block, headings: readonly Heading[], linkTo: LinkTo): string {
  const inline = (text: string) => renderInline(text, linkTo)
  switch (kind) {
    case 'blank':
      return ''
    case 'code':
      // Scrolled by its own, so it has to be reached by the keyboard.
      return `<pre tabindex="0"><code>${escapeHtml(`${lines.slice(1).join('\n')}\n`)}</code></pre>`
    case 'disclosure':
      return renderDisclosure(lines, linkTo)
    case 'heading': {
      const { level, id, title } = headings.at(-1) ?? { level: 1, id: '', title: '' }
      return `<h${level} id="${escapeHtml(id)}">${title}</h${level}>`
    }
    case 'table':
      return renderTable(lines, inline)
    case 'bullets':
      return renderList('ul', lines, inline)
    case 'numbers':
      return renderList('ol', lines, inline)
    case 'text':
      return `<p>${inline(lines.join('\n'))}</p>`
  }
}

function toHeading(
  [line = '']: readonly string[],
  before: readonly Heading[],
  linkTo: LinkTo,
): Heading {
  const [, marks = '', text = ''] = /^(#+) (.*)$/.exec(line) ?? []
  const id = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
  if (before.some((other) => other.id === id)) throw new Error(`Two headings are #${id}`)
  return { level: marks.length, id, title: renderInline(text, linkTo) }
}

/** Renders what a press opens. A heading in it would have no place in the list of sections, and is refused. */
function renderDisclosure([first = '', ...lines]: readonly string[], linkTo: LinkTo): string {
  const [, title] = summaryLine.exec(first) ?? []
  if (title === undefined) throw new Error(`A disclosure begins with its summary: ${first}`)
  const { html, headings } = renderMarkdown(lines.join('\n'), linkTo)
  if (headings.length > 0) throw new Error(`A disclosure has no heading: ${title}`)
  return `<details>\n<summary>${renderInline(title, linkTo)}</summary>\n${html}\n</details>`
}

const summaryLine = /^<summary>(.+)<\/summary>$/

/** Returns the same Markdown without disclosures, for programs: the summary becomes a line in bold, and nothing is hidden. */
export function openDisclosures(markdown: string): string {
  return markdown
    .replaceAll(/^<details>\n<summary>(.+)<\/summary>$/gm, '**$1**')
    .replaceAll(/\n<\/details>\n/g, '')
}

type Inline = (text: string) => string

function renderTable([head = '', , ...rows]: readonly string[], inline: Inline): string {
  const cells = (row: string) =>
    row
      .replace(/^\|/, '')
      .replace(/\|\s*$/, '')
      .split(/(?<!\\)\|/)
      .map((cell) => inline(cell.trim().replaceAll('\\|', '|')))
  const headCells = cells(head)
  const isNamed = headCells.some((cell) => cell !== '')
  const line = (row: string) =>
    `<tr>${cells(row)
      .map((cell) => `<td>${cell}</td>`)
      .join('')}</tr>`
  // A heading that says nothing would be read out as one.
  const named = headCells
    .map((cell) => (cell === '' ? '<td></td>' : `<th scope="col">${cell}</th>`))
    .join('')
  return `<div class="table" tabindex="0"><table>
${isNamed ? `<thead><tr>${named}</tr></thead>\n` : ''}<tbody>
${rows.map(line).join('\n')}
</tbody></table></div>`
}

function renderList(tag: 'ul' | 'ol', lines: readonly string[], inline: Inline): string {
  const items = lines.join('\n').split(/\n(?=- |\d+\. )/)
  const rendered = items.map((item) => {
    const text = item.replace(/^(?:- |\d+\. )/, '').replaceAll(/\n\s+/g, '\n')
    return `<li>${inline(text)}</li>`
  })
  // A list goes on after the code of a step.
  const first = tag === 'ol' ? /^\d+/.exec(lines[0] ?? '')?.[0] : undefined
  const start = first === undefined || first === '1' ? '' : ` start="${first}"`
  return `<${tag}${start}>\n${rendered.join('\n')}\n</${tag}>`
}
