/** Describes a page that was visited in this tab. */
export interface RecentPage {
  readonly href: string
  readonly title: string
}

const pagesMax = 8
const storageKey = (slug: string) => `recent ${slug}`

/** Returns `pages` with one more on top. Each address appears once. */
export function withRecent(pages: readonly RecentPage[], page: RecentPage): readonly RecentPage[] {
  return [page, ...pages.filter(({ href }) => href !== page.href)].slice(0, pagesMax)
}

/** Returns the pages last visited in this tab, newest first. They are forgotten with the tab. */
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

/** Adds a page of an organization to those last visited. */
export function rememberPage(slug: string, page: RecentPage): void {
  sessionStorage.setItem(storageKey(slug), JSON.stringify(withRecent(readRecent(slug), page)))
}
