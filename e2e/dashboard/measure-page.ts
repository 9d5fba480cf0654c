import type { Page } from 'playwright-core'

/** By how many pixels the page can be moved sideways; 0 where it fits. */
export const overhang = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Tables of which some columns are out of sight, until they are moved sideways. */
export const wideTables = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('table')].flatMap((table) => {
      const around = table.parentElement?.getBoundingClientRect()
      const { right } = table.getBoundingClientRect()
      if (around === undefined || right <= around.right + 1) return []
      return [[...table.querySelectorAll('th')].map((head) => head.textContent.trim()).join(', ')]
    }),
  )

/** Texts of thousands of characters that are shown to their end, with how high they stand. Code is read where it scrolls. */
export const endlessTexts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')].flatMap((element) => {
      const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      const { length } = own.map(({ textContent }) => textContent ?? '').join('')
      const { height } = element.getBoundingClientRect()
      if (length < 1000 || height < 300 || element.closest('pre') !== null) return []
      return [
        `${element.tagName.toLowerCase()} of ${length} characters, ${Math.round(height)} high`,
      ]
    }),
  )

/**
 * Lists the targets smaller than 24 by 24 CSS pixels (WCAG 2.5.8), with their sizes. Links within a sentence are
 * exempt, and so is the bar of a chart where a link for readers leads to the same address. A label enlarges its target,
 * and so does a layer that it lays over its row.
 */
export function smallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const isWithinText = (element: Element) =>
      getComputedStyle(element).display === 'inline' &&
      [...(element.parentElement?.childNodes ?? [])].some(
        (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
      )
    const isHidden = (element: Element) => {
      const { width } = element.getBoundingClientRect()
      // Such as the way past the rail, which is seen when it has the focus.
      const isForReaders = getComputedStyle(element).clipPath !== 'none'
      return isForReaders || width <= 1 || !element.checkVisibility({ visibilityProperty: true })
    }
    const isRepeated = (element: Element) =>
      element instanceof HTMLAnchorElement &&
      element.closest('[aria-hidden=true]') !== null &&
      [...document.querySelectorAll('a')].some(
        (other) => other.href === element.href && other.closest('[aria-hidden=true]') === null,
      )
    const measure = (element: Element) => {
      const { content, position, width, height } = getComputedStyle(element, '::after')
      return content !== 'none' && position === 'absolute'
        ? { width: Number.parseFloat(width), height: Number.parseFloat(height) }
        : element.getBoundingClientRect()
    }
    return [...document.querySelectorAll('a, button, input, select, textarea, summary')].flatMap(
      (element) => {
        if (isHidden(element) || isWithinText(element) || isRepeated(element)) return []
        const { width, height } = measure(element.closest('label') ?? element)
        if (width >= 24 && height >= 24) return []
        const name = element.getAttribute('aria-label') ?? element.textContent.trim()
        return [
          `${element.tagName.toLowerCase()} "${name.slice(0, 40)}" ${Math.round(width)}x${Math.round(height)}`,
        ]
      },
    )
  })
}

/** Runs in the page, and uses nothing of this module: `listMisfits` sends its text. */
const findClippedTexts = (): readonly string[] =>
  [...document.querySelectorAll<HTMLElement>('body *')].flatMap((element) => {
    // Few elements pass this, and their styles cost more than their sizes.
    const { clientWidth, scrollWidth } = element
    if (clientWidth <= 2 || scrollWidth <= clientWidth + 1) return []
    const { overflowX, textOverflow, display, clipPath } = getComputedStyle(element)
    const isCut =
      clipPath === 'none' &&
      overflowX === 'hidden' &&
      textOverflow !== 'ellipsis' &&
      !display.startsWith('inline')
    if (!isCut) return []
    return [`${element.tagName.toLowerCase()} "${element.textContent.trim().slice(0, 40)}"`]
  })

/** Texts that are cut off with nothing that says so: neither an ellipsis nor a way to scroll. */
export const clippedTexts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(findClippedTexts)

/** Cells of a phone that reach out of the window, have no room, or do not stand behind the title of their column. */
export function strayCells(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const toTitle = (content: string) => /^"([^"]*)"/.exec(content)?.[1]
    return [...document.querySelectorAll<HTMLElement>('table[data-blocks]')].flatMap((table) => {
      const { choice, actions } = table.dataset
      const titles = [...table.querySelectorAll('th')].map((head) => head.textContent.trim())
      const lead = choice === undefined ? 0 : 1
      const isLead = (at: number) =>
        at <= lead || (actions !== undefined && at === titles.length - 1)
      return [...table.querySelectorAll('tbody tr')].flatMap(({ children }) =>
        [...children].flatMap((cell, at) => {
          const { left, right, width } = cell.getBoundingClientRect()
          const shown = toTitle(getComputedStyle(cell, '::before').content)
          const isRight = shown === (isLead(at) ? undefined : titles[at])
          const isInSight = left >= 0 && right <= innerWidth && (at !== lead || width >= 60)
          if (cell.childNodes.length === 0 || (isRight && isInSight)) return []
          return [
            `${titles[at] ?? at}: ${shown ?? 'no title'}, ${Math.round(width)} wide, to ${Math.round(right)}`,
          ]
        }),
      )
    })
  })
}

/** Sets letters, words and lines as far apart as WCAG 1.4.12 allows everybody to. */
export function spaceText(page: Page): Promise<void> {
  return page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }',
    )
    document.adoptedStyleSheets = [sheet]
  })
}

/** Sets letters, words and lines as far apart as the page does again. */
export function resetText(page: Page): Promise<void> {
  return page.evaluate(() => {
    document.adoptedStyleSheets = []
  })
}

/** Lists the targets and texts that something else covers after scrolling to them. */
export const coveredParts = (page: Page) =>
  page.evaluate(() => {
    const place = document.querySelector('dialog[open]') ?? document.querySelector('main')
    /** Such as the header of a table on a phone: it is read out, and never seen. */
    const isForReaders = (element: Element | null): boolean =>
      element !== null &&
      (getComputedStyle(element).clipPath !== 'none' || isForReaders(element.parentElement))
    const all = place?.querySelectorAll('a, button, input, select, textarea, summary, h1, h2, th')
    return [...(all ?? [])].flatMap((element) => {
      if (!element.checkVisibility({ visibilityProperty: true }) || isForReaders(element)) return []
      element.scrollIntoView({ block: 'center', inline: 'center' })
      const { left, top, width, height } = element.getBoundingClientRect()
      if (width < 2 || height < 2) return []
      const middle = Math.min(top + height / 2, innerHeight - 1)
      const hit = document.elementFromPoint(left + width / 2, Math.max(middle, 0))
      if (hit === null || element.contains(hit) || hit.contains(element)) return []
      return [`${element.outerHTML.slice(0, 160)} under ${hit.outerHTML.slice(0, 160)}`]
    })
  })

/** Runs in the page, as above. */
const findCutBadges = (): readonly string[] =>
  [
    ...document.querySelectorAll<HTMLElement>('main [data-badge], dialog[open] [data-badge]'),
  ].flatMap((badge) => {
    const text = badge.querySelector<HTMLElement>('[data-badge-text]') ?? badge
    const isCut = text.scrollWidth > text.clientWidth + 1
    const cell = badge.closest('td, th')?.getBoundingClientRect()
    const { right } = badge.getBoundingClientRect()
    const isOut = cell !== undefined && right > cell.right + 1
    if (!isCut && !isOut) return []
    return [`"${badge.textContent.trim()}" is ${isCut ? 'cut' : 'out of its cell'}`]
  })

/** Lists the badges whose text is cut, and those that reach out of their cell, on the page or in a dialog. */
export const cutBadges = (page: Page): Promise<readonly string[]> => page.evaluate(findCutBadges)

/** Returns by how many pixels the dialogs and menus that are open can be moved sideways; 0 where they fit. Runs in the page. */
const measureOverhangOfLayers = (): number =>
  Math.max(
    0,
    ...[...document.querySelectorAll('dialog[open], [role=menu]:popover-open')].map(
      ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
    ),
  )

/** Returns how wide the page is, once what follows the width of its window has followed. */
export const measureLaidOut = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        requestAnimationFrame(() =>
          requestAnimationFrame(() => resolve(document.documentElement.scrollWidth)),
        )
      }),
  )

/** Holds what a page shows in a window of one width. */
interface Measured {
  readonly scrolled: number
  readonly sideways: number
  readonly badges: readonly string[]
  readonly texts: readonly string[]
}

/** Measures a page once it is laid out, by one question: each costs a way to the browser and back. */
const measureAll = (page: Page): Promise<Measured> =>
  page.evaluate<Measured>(`(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    return {
      scrolled: document.documentElement.scrollWidth,
      sideways: (${measureOverhangOfLayers.toString()})(),
      badges: (${findCutBadges.toString()})(),
      texts: (${findClippedTexts.toString()})(),
    }
  })()`)

/** Lists the widths of windows at which every page and dialog is measured, in CSS pixels. */
const widths = [320, 390, 768, 1024, 1280, 1920] as const

/**
 * Measures what the page shows in windows of all widths, or of some: what is wider than its window, and which badge or text is
 * cut. The window is as wide as before afterwards.
 */
export async function listMisfits(
  page: Page,
  at: readonly number[] = widths,
): Promise<readonly string[]> {
  const before = page.viewportSize()
  const found: string[] = []
  for (const width of at) {
    await page.setViewportSize({ width, height: width < 500 ? 800 : 860 })
    const { scrolled, sideways, badges, texts } = await measureAll(page)
    if (scrolled > width) found.push(`at ${width} the page is ${scrolled} wide`)
    if (sideways > 0) found.push(`at ${width} a dialog moves sideways by ${sideways}`)
    found.push(...badges.map((badge) => `at ${width} the badge ${badge}`))
    found.push(...texts.map((text) => `at ${width} cut: ${text}`))
  }
  if (before !== null) await page.setViewportSize(before)
  return found
}
