/** Escapes text for HTML, attributes included. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** Holds HTML that is inserted without escaping. Only `markup` creates it. */
export interface Markup {
  readonly html: string
}

type Part = string | number | Markup | readonly Markup[] | undefined

/** Builds HTML. Values are escaped unless they are markup themselves. Example: `` markup`<b>${name}</b>` ``. */
export function markup(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const rendered = texts.map((text, index) => text + render(parts[index]))
  return { html: rendered.join('') }
}

function render(part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'object') {
    return 'html' in part ? part.html : part.map(({ html }) => html).join('')
  }
  return escapeHtml(String(part))
}

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0; background: Canvas; color: CanvasText; }
header { padding: .5rem 1.25rem; background: #7a4b00; color: #fff; font-size: .85rem; }
header a { color: inherit; margin-left: .5rem; }
main { max-width: 34rem; margin: 2.5rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.3rem; }
button { font: inherit; padding: .45rem 1.1rem; margin-right: .5rem; cursor: pointer; }
code { font-size: .9em; }
`

/** Returns a page of the sandbox. Its header says that nothing is real, so that nobody takes it for the provider. */
export function renderPage(title: string, content: Markup, more = ''): string {
  return markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${{ html: style + more }}</style>
<header>Signalbox sandbox. Nothing here is real, and nothing leaves this machine. <a href="/">Push something</a></header>
<main>
<h1>${title}</h1>
${content}
</main>
</html>
`.html
}
