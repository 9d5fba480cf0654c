import { Marked, type Tokens } from 'marked'
import { escapeHtml } from '../../packages/server/src/http/answers/document-page.ts'

/** Returns the address of a link once it is served; `undefined` where the service has no page, so that the link becomes text. */
export type LinkTo = (target: string) => string | undefined

export interface Heading {
  readonly level: number
  /** Holds the fragment of a link to it, as GitHub spells it. */
  readonly id: string
  /** HTML. */
  readonly title: string
}

export interface RenderedMarkdown {
  readonly html: string
  readonly headings: readonly Heading[]
}

/**
 * Renders the project's own pages as HTML. The only HTML in them is comments and disclosures (`<details>`); a tag within a
 * line is text.
 *
 * @throws for images and other HTML, and for two headings that a link could not tell apart.
 */
export function renderMarkdown(markdown: string, linkTo: LinkTo): RenderedMarkdown {
  const headings: Heading[] = []
  let isOpen = false
  const marked = createMarked(linkTo).use({
    renderer: {
      heading({ depth: level, text, tokens }) {
        const id = anchorOf(text)
        const title = this.parser.parseInline(tokens)
        if (isOpen) throw new Error(`A disclosure has no heading: ${text}`)
        if (headings.some((other) => other.id === id)) throw new Error(`Two headings are #${id}`)
        headings.push({ level, id, title })
        return `<h${level} id="${escapeHtml(id)}">${title}</h${level}>\n`
      },
      html({ text, block }) {
        if (!block) return escapeHtml(text)
        if (/^<!--[\s\S]*-->\s*$/.test(text)) return ''
        const [, summary] = /^<details>\n<summary>(.+)<\/summary>\s*$/.exec(text) ?? []
        if (isOpen ? text.trim() !== '</details>' : summary === undefined)
          throw new Error(`Nothing renders this HTML: ${text}`)
        isOpen = !isOpen
        if (summary === undefined) return '</details>\n'
        return `<details>\n<summary>${renderInline(summary, linkTo)}</summary>\n`
      },
    },
  })
  const html = marked.parse(markdown, { async: false }).trimEnd()
  if (isOpen) throw new Error('Nothing closes a disclosure')
  return { html, headings }
}

/** Renders the inline parts of a line as HTML: code, bold and emphasized text, links. */
export function renderInline(markdown: string, linkTo: LinkTo): string {
  return createMarked(linkTo).parseInline(markdown, { async: false })
}

function createMarked(linkTo: LinkTo): Marked {
  return new Marked({
    renderer: {
      // Scrolled by its own, so it has to be reached by the keyboard.
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(`${text}\n`)}</code></pre>\n`,
      html: ({ text }) => escapeHtml(text),
      image({ href }) {
        throw new Error(`No page has pictures: ${href}`)
      },
      link({ href, tokens }) {
        const label = this.parser.parseInline(tokens)
        const address = linkTo(href)
        return address === undefined ? label : `<a href="${escapeHtml(address)}">${label}</a>`
      },
      table({ header, rows }) {
        const inline = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens)
        // A heading that says nothing would be read out as one.
        const named = header
          .map(inline)
          .map((cell) => (cell === '' ? '<td></td>' : `<th scope="col">${cell}</th>`))
        const head = header.some(({ text }) => text !== '')
          ? `<thead><tr>${named.join('')}</tr></thead>\n`
          : ''
        const lines = rows.map(
          (row) => `<tr>${row.map((cell) => `<td>${inline(cell)}</td>`).join('')}</tr>\n`,
        )
        return `<div class="table" tabindex="0"><table>\n${head}<tbody>\n${lines.join('')}</tbody></table></div>\n`
      },
    },
    // An address in a text is a text.
    tokenizer: { url: () => undefined },
  })
}

/** Names a heading in links to it, as GitHub does. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}

const linkPattern = /\[((?:[^[\]]|\[[^\]]*\])+)\]\(([^)\s]+)\)/g

/** The same Markdown with the addresses that `linkTo` gives. Looks into code as well, where our pages have no link. */
export function rewriteLinks(markdown: string, linkTo: LinkTo): string {
  return markdown.replaceAll(linkPattern, (_, label: string, target: string) => {
    const address = linkTo(target)
    return address === undefined ? label : `[${label}](${address})`
  })
}

/** Returns the same Markdown without disclosures, for programs: the summary becomes a line in bold, and nothing is hidden. */
export function openDisclosures(markdown: string): string {
  return markdown
    .replaceAll(/^<details>\n<summary>(.+)<\/summary>$/gm, '**$1**')
    .replaceAll(/\n<\/details>\n/g, '')
}
