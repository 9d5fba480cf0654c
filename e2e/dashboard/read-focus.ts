import type { Page } from 'playwright-core'

/** Returns the label or the text of the focused element; `body` when the focus is lost. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return 'body'
    const [label] = element instanceof HTMLInputElement ? (element.labels ?? []) : []
    return (
      element.getAttribute('aria-label') ??
      label?.textContent.trim() ??
      element.textContent.trim().replaceAll(/\s+/g, ' ')
    )
  })

/** Returns whether the focus is within the element of a selector. */
export const isFocusIn = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate((wanted) => (document.activeElement?.closest(wanted) ?? null) !== null, selector)

/** Presses keys one after the other. */
export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/**
 * Goes on by Tab until what has the focus is called so.
 *
 * @throws when a hundred presses do not lead there.
 */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const met: string[] = []
  const isThere = (text: string) => (typeof name === 'string' ? text === name : name.test(text))
  for (let presses = 0; presses < 100; presses += 1) {
    await page.keyboard.press('Tab')
    const text = await focused(page)
    if (isThere(text)) return
    met.push(text.slice(0, 40))
  }
  throw new Error(`By Tab one does not get to ${name}, but to: ${met.join(' | ')}`)
}
