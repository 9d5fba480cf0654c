import type { RawAnswer } from '../input/endpoint-request.ts'
import { documentationBar, renderDocumentPage } from './document-page.ts'
import { pageHeaders } from './security-headers.ts'

/** Returns whether a browser goes to an address, and asks for HTML. Programs, and the requests of pages, do not. */
export function isOpenedByPerson(method: string, header: (name: string) => string | undefined) {
  return (method === 'GET' || method === 'HEAD') && header('accept')?.includes('text/html') === true
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
