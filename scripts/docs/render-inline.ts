import { escapeHtml } from '../../packages/server/src/http/answers/document-page.ts'

/** Where a link leads once it is served; `undefined` for what the service has no page of, which is kept as text. */
export type LinkTo = (target: string) => string | undefined

const linkPattern = /\[((?:[^[\]]|\[[^\]]*\])+)\]\(([^)\s]+)\)/g

/** Renders the inline parts of a line as HTML: code, bold and emphasized text, links. */
export function renderInline(markdown: string, linkTo: LinkTo): string {
  const codes: string[] = []
  // Code is set aside first: nothing in it is markup, and bold text and links may hold it.
  const text = markdown.replaceAll(/`([^`]+)`/g, (_, code: string) => {
    codes.push(`<code>${escapeHtml(code)}</code>`)
    return `\0${codes.length - 1}\0`
  })
  return escapeHtml(text)
    .replaceAll(linkPattern, (_, label: string, target: string) =>
      renderLink(label, linkTo(target)),
    )
    .replaceAll(/\*\*(\S(?:[^*]*\S)?)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/(?<![\w*])\*(\S(?:[^*]*\S)?)\*(?![\w*])/g, '<em>$1</em>')
    .replaceAll(/\0(\d+)\0/g, (_, index: string) => codes[Number(index)] ?? '')
}

function renderLink(label: string, address: string | undefined): string {
  return address === undefined ? label : `<a href="${escapeHtml(address)}">${label}</a>`
}

/** The same Markdown with the addresses that `linkTo` gives. Looks into code as well, where our pages have no link. */
export function rewriteLinks(markdown: string, linkTo: LinkTo): string {
  return markdown.replaceAll(linkPattern, (_, label: string, target: string) => {
    const address = linkTo(target)
    return address === undefined ? label : `[${label}](${address})`
  })
}
