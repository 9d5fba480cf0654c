import { html } from '../../http/answers.ts'
import { markup, renderPage } from '../../http/page.ts'
import type { Answer } from '../../http/route.ts'

/** A page that says one thing, such as why it goes no further. */
export function noticePage(title: string, text: string, status: number): Answer {
  return html(renderPage(title, markup`<p>${text}</p>`), status)
}

/** GitHub's answer to whatever it does not have, or does not show. */
export const noSuchPage = (): Answer =>
  noticePage('Page not found', 'This is not the page that you are looking for.', 404)
