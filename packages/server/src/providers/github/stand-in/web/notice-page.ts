import { html } from '../../../../../../sandbox/src/http/answers.ts'
import { markup, renderPage } from '../../../../../../sandbox/src/http/page.ts'
import type { Answer } from '../../../../../../sandbox/src/http/route.ts'

/** Returns a page with a single message, such as why a flow stops. */
export function noticePage(title: string, text: string, status: number): Answer {
  return html(renderPage(title, markup`<p>${text}</p>`), status)
}

/** Returns GitHub's page for an address that does not exist or is not shown. */
export const noSuchPage = (): Answer =>
  noticePage('Page not found', 'This is not the page that you are looking for.', 404)
