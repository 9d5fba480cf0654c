import type { Page } from 'playwright-core'
import { settle } from './settle.ts'

/** The router of the page, as its developer tools reach it. */
interface Router {
  subscribe(event: 'onRendered', listener: () => void): () => void
  navigate(to: { readonly href: string }): Promise<void>
}

/**
 * Goes to an address of the dashboard as a link of the open page does, and waits until nothing is being loaded. The page
 * keeps its program, what it has read, and axe: a full load takes three times as long. It is a full load where the page is
 * not open yet, or shows this address.
 */
export async function followLink(page: Page, url: string): Promise<void> {
  const hasFollowed = await page.evaluate(async (address) => {
    const router: Router | undefined = Reflect.get(window, '__TSR_ROUTER__')
    const { origin, href } = new URL(address)
    if (router === undefined || origin !== location.origin || href === location.href) return false
    await new Promise<void>((resolve) => {
      const stop = router.subscribe('onRendered', () => {
        stop()
        resolve()
      })
      void router.navigate({ href: href.slice(origin.length) })
    })
    return true
  }, url)
  if (!hasFollowed) await page.goto(url)
  await settle(page)
}
