import { Problem } from '@signalbox/contract'

export interface CsrfHeaders {
  readonly secFetchSite: string | undefined
  readonly origin: string | undefined
  readonly requestedBy: string | undefined
}

/**
 * Refuses a write that a page of another site could have caused with the browser's cookie: the browser must say that
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

/** For writes without credentials, as signing in: programs name no site, and the page of another site is refused. */
export function refuseOtherSite({ secFetchSite, origin }: CsrfHeaders, publicUrl: string): void {
  if (secFetchSite !== undefined) {
    if (secFetchSite !== 'same-origin')
      throw forged('The request came from a page of another site.')
  } else if (origin !== undefined && origin !== new URL(publicUrl).origin) {
    throw forged('The request came from a page of another site.')
  }
}

function forged(reason: string): Problem {
  return new Problem('csrf_failed', `${reason} Send it from the dashboard, or use an access token.`)
}
