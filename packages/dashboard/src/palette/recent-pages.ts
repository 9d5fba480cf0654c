/** A page that was looked at in this tab. */
export interface RecentPage {
  readonly href: string
  readonly title: string
}

const pagesMax = 8
const storageKey = (slug: string) => `recent ${slug}`

/** Returns `pages` with one more on top, each address once. */
export function withRecent(pages: readonly RecentPage[], page: RecentPage): readonly RecentPage[] {
  return [page, ...pages.filter(({ href }) => href !== page.href)].slice(0, pagesMax)
}

/** Returns what was looked at last in this tab, the newest first. It is forgotten with the tab. */
export function readRecent(slug: string): readonly RecentPage[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey(slug)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isRecentPage) : []
  } catch {
    return []
  }
}

function isRecentPage(page: unknown): page is RecentPage {
  return (
    typeof page === 'object' &&
    page !== null &&
    'href' in page &&
    'title' in page &&
    typeof page.href === 'string' &&
    typeof page.title === 'string'
  )
}

/** Keeps a page of an organization among those that were looked at last. */
export function rememberPage(slug: string, page: RecentPage): void {
  sessionStorage.setItem(storageKey(slug), JSON.stringify(withRecent(readRecent(slug), page)))
}
