import type { Page } from 'playwright-core'
import { findViolations } from '../../accessibility.ts'

/**
 * Marks one visible text of each way of drawing that is not known yet: of its color, its size and weight, and all grounds
 * behind it. Returns the new ways.
 */
const markTexts = (page: Page, known: ReadonlySet<string>): Promise<readonly string[]> =>
  page.evaluate(
    (seen) => {
      const ways = new Set(seen)
      const groundsOf = (element: Element | null): string => {
        if (element === null) return ''
        const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element)
        const ground = `${backgroundColor} ${backgroundImage} ${opacity}`
        const around = groundsOf(element.parentElement)
        return ground === 'rgba(0, 0, 0, 0) none 1' ? around : `${ground}, ${around}`
      }
      return [...document.querySelectorAll<HTMLElement>('body *')].flatMap((element) => {
        delete element.dataset['drawn']
        const hasText = [...element.childNodes].some(
          ({ nodeType, textContent }) =>
            nodeType === Node.TEXT_NODE && /\S/.test(textContent ?? ''),
        )
        if (!hasText && !element.matches('input, select, textarea')) return []
        if (!element.checkVisibility({ visibilityProperty: true })) return []
        const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element)
        const kind = hasText ? 'text' : element.tagName
        const way = [kind, color, fontSize, fontWeight, textShadow, groundsOf(element)].join()
        if (ways.has(way)) return []
        ways.add(way)
        element.dataset['drawn'] = ''
        return [way]
      })
    },
    [...known],
  )

/**
 * Lists axe's findings about contrast, of one text for each way in which texts are drawn that is not in `known`, and adds
 * those ways to it. Of a page with thousands of equal texts, axe examines each for nine tenths of its time. A text that lies
 * over something beside it, and not in front of what it is part of, is not told apart: a page of documentation has none.
 */
export async function findContrastViolations(page: Page, known: Set<string>): Promise<string[]> {
  const ways = await markTexts(page, known)
  for (const way of ways) known.add(way)
  if (ways.length === 0) return []
  return findViolations(page, { within: '[data-drawn]', rules: ['color-contrast'] })
}
