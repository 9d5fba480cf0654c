import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type Axe from 'axe-core'
import type { Page } from 'playwright-core'

declare global {
  interface Window {
    readonly axe?: typeof Axe
  }
}

/** Half as long as what `axe-core` sends by itself. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Describes which part of a page is examined, and by which rules. */
export interface Examined {
  /** Holds a selector. Default the whole page. */
  readonly within?: string | undefined
  /** Holds ids of rules. Default axe's own choice: WCAG 2.0 to 2.2, A and AA, and its best practices. */
  readonly rules?: string[]
  /** Holds ids of rules that are left out. */
  readonly without?: string[]
}

/**
 * Lists axe's findings on a page without frames.
 *
 * A page gets axe's 600 kB once, and not for each run: to send and to parse them takes longer than to examine most pages.
 */
export async function findViolations(
  page: Page,
  { within, rules, without = [] }: Examined = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  return page.evaluate(
    async ([part, chosen, left]) => {
      const { axe } = window
      if (axe === undefined) throw new Error('The page has lost axe')
      const { violations } = await axe.run(part ?? document, {
        // Without those that pass, of which a long page has thousands.
        resultTypes: ['violations'],
        ...(chosen === undefined ? {} : { runOnly: chosen }),
        rules: Object.fromEntries(left.map((rule) => [rule, { enabled: false }])),
      })
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`)
    },
    [within, rules, without] as const,
  )
}
