import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  documentationBar,
  escapeHtml,
  renderDocumentPage,
} from '../../packages/server/src/http/answers/document-page.ts'

const source = 'docs/problems.md'

/** Renders `docs/problems.md` as HTML without the page around it. */
export function renderProblemsContent(): string {
  return renderBlocks(readFileSync(join(import.meta.dirname, '../..', source), 'utf8'))
}

/**
 * Renders `docs/problems.md` as the page that the service serves at `/docs/problems`, with an anchor for each code. Knows the
 * Markdown that the file uses: headings, paragraphs, fenced code; in a line code, bold text and links.
 */
export function renderProblemsPage(): string {
  return renderDocumentPage({
    title: 'Signalbox problems',
    source,
    bar: documentationBar('/docs/problems'),
    content: renderProblemsContent(),
  })
}

/** Headings stand alone; what is between two empty lines is one block, in which each bold beginning is a paragraph. */
function renderBlocks(markdown: string): string {
  const [first = '', ...others] = markdown.split(/^```\w*\n/m)
  // Every second part is inside of a fence.
  const parts = others.map((part, index) =>
    index % 2 === 0 ? `<pre><code>${escapeHtml(part)}</code></pre>` : renderText(part),
  )
  return [renderText(first), ...parts].join('\n')
}

function renderText(text: string): string {
  return text
    .split(/\n{2,}|\n(?=#|\*\*)|(?<=^#.*)\n/m)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map(renderBlock)
    .join('\n')
}

function renderBlock(block: string): string {
  const [, marks = '', title = ''] = /^(#{1,3}) (.*)$/.exec(block) ?? []
  if (marks === '') return `<p>${renderInline(block)}</p>`
  const anchor = marks.length === 3 ? ` id="${escapeHtml(title)}"` : ''
  return `<h${marks.length}${anchor}>${renderInline(title)}</h${marks.length}>`
}

/** A link to another file of the documents is kept as its text: the service has no such page. */
function renderInline(text: string): string {
  return escapeHtml(text)
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.startsWith('`')
        ? `<code>${part.slice(1, -1)}</code>`
        : part
            .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
            .replaceAll(/\[([^\]]+)\]\((#\w+|https:[^)]+)\)/g, '<a href="$2">$1</a>')
            .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1'),
    )
    .join('')
}
