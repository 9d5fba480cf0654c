/** Escapes text for HTML, including attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** Describes a page of the documentation. */
export interface DocumentPage {
  readonly title: string
  /** Holds the links beside the logo, as HTML: see `documentationBar`. */
  readonly bar?: string
  /** Holds the list of pages beside the content, as HTML. On a narrow screen a button opens it. */
  readonly side?: string
  /** Holds the content, as HTML. */
  readonly content: string
}

const documentation = [
  ['/docs/guide', 'Guide'],
  ['/docs', 'API reference'],
  ['/docs/problems', 'Problems'],
] as const

/** Renders the links between the parts of the documentation, and the way back. `open` is the current part. */
export function documentationBar(open?: (typeof documentation)[number][0]): string {
  const links = documentation.map(
    ([address, title]) =>
      `<a href="${address}"${address === open ? ' aria-current="true"' : ''}>${title}</a>`,
  )
  return `<nav class="parts" aria-label="Documentation">${links.join('\n')}
<a class="back" href="/">Dashboard</a></nav>`
}

/**
 * Renders a page in the common style, which reads without scripts and sends no request to another server. The scripts apply
 * the theme that the person chose in the dashboard, and add a search to the documentation.
 */
export function renderDocumentPage({ title, bar, side, content }: DocumentPage): string {
  const brand = `<a class="brand" href="/"><img src="/assets/mark.svg" alt="" width="26" height="26">Signalbox</a>`
  const main = `<main class="document" id="content">\n${content}\n</main>`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<script src="/assets/theme.js"></script>
${bar === undefined ? '' : '<script src="/assets/docs.js" defer></script>\n'}<link rel="stylesheet" href="/assets/fonts.css">
<link rel="stylesheet" href="/assets/page.css">
<link rel="icon" href="/assets/mark.svg" type="image/svg+xml">
<a class="skip" href="#content">Skip to the content</a>
<header class="${side === undefined ? 'top' : 'top wide'}">
${[brand, bar, side && pagesButton].filter(Boolean).join('\n')}
</header>
${side === undefined ? main : renderColumns(side, main)}
</html>
`
}

/** A popover needs no script. On a wide screen the style shows it permanently. */
const pagesButton = '<button type="button" class="pages" popovertarget="pages">All pages</button>'

function renderColumns(side: string, main: string): string {
  return `<div class="columns">
<nav class="side" id="pages" popover aria-label="Pages">
${side}
</nav>
${main}
</div>`
}
