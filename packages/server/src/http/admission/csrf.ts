import { Problem } from '@signalbox/contract'

/** Holds the headers that show whether a page of another site caused the request. */
export interface CsrfHeaders {
  readonly secFetchSite: string | undefined
  readonly origin: string | undefined
  readonly requestedBy: string | undefined
}

/**
 * Refuses a write that a page of another site could have caused with the browser's cookie. The browser must state that
 * the request came from here, and a header must be present that no form can send.
 *
 * @throws {Problem} `csrf_failed`.
 */
export function requireOwnPage(headers: CsrfHeaders, publicUrl: string): void {
  refuseOtherSite(headers, publicUrl)
  const { secFetchSite, origin, requestedBy } = headers
  if (secFetchSite === undefined && origin === undefined) {
    throw forged('The request names neither Sec-Fetch-Site nor Origin.')
  }
  if (requestedBy === undefined) throw forged('The header X-Requested-By is missing.')
}

/**
 * Refuses a write without credentials, such as a sign-in, from a page of another site. Programs name no site and are
 * accepted.
 *
 * @throws {Problem} `csrf_failed`.
 */
export function refuseOtherSite({ secFetchSite, origin }: CsrfHeaders, publicUrl: string): void {
  if (secFetchSite !== undefined) {
    if (secFetchSite !== 'same-origin') throw forged('A page of another site sent the request.')
  } else if (origin !== undefined && origin !== new URL(publicUrl).origin) {
    throw forged('A page of another site sent the request.')
  }
}

/**
 * Refuses a read that only a person at our own pages asks for, when a page of another site caused it: a link from anywhere
 * would show secrets in the tab, and leave the event of a look that nobody wanted. An address that was typed is accepted.
 *
 * @throws {Problem} `csrf_failed`.
 */
export function refuseReadOfOtherSite(secFetchSite: string | undefined): void {
  if (secFetchSite === 'cross-site' || secFetchSite === 'same-site') {
    throw forged('A page of another site sent the request.')
  }
}

function forged(reason: string): Problem {
  return new Problem('csrf_failed', `${reason} Send it from the dashboard, or use an access token.`)
}
