import type { Page } from 'playwright-core'

/** Holds the pages of this worker that are open. A failed test prints what they show. */
export const openPages = new Set<Page>()
