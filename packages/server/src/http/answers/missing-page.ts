import type { RawAnswer } from '../input/endpoint-request.ts'
import { documentationBar, renderDocumentPage } from './document-page.ts'
import { pageHeaders } from './security-headers.ts'

/** Returns whether a browser goes to an address, and asks for HTML. Programs, and the requests of pages, do not. */
export function isOpenedByPerson(method: string, header: (name: string) => string | undefined) {
  return (method === 'GET' || method === 'HEAD') && header('accept')?.includes('text/html') === true
}

/** Returns the page of a service whose pages were not built. Example of `what`: `dashboard`. */
export function notBuilt(what: string): RawAnswer {
  const body = `<!doctype html>
<html lang="en"><title>Signalbox</title>
<p>The ${what} is not built. Run <code>npm run build</code>, then start the service again.</p>
`
  return { status: 503, headers: pageHeaders(), body }
}

/** Returns the page for an address below `/docs` that has no document. */
export function missingDocument(): RawAnswer {
  const body = renderDocumentPage({
    title: 'Page not found: Signalbox',
    bar: documentationBar(),
    content: `<h1>Page not found</h1>
<p>The documentation of this server has no page at this address. It may have been renamed, or belong to another version.</p>
<ul>
<li><a href="/docs/guide">All guide pages</a></li>
<li><a href="/docs">API reference</a></li>
<li><a href="/docs/problems">Problems</a></li>
<li><a href="/">Dashboard</a></li>
</ul>`,
  })
  return { status: 404, headers: pageHeaders(), body }
}
