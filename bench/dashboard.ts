/**
 * P11: the scripts that the dashboard's front page loads, and the time from a committed write to the frame that shows it.
 *
 *     npm run bench -- dashboard
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { startDashboard, type MeasuredDashboard } from './dashboard-page.ts'
import { percentile, recordResult } from './record.ts'

const built = join(import.meta.dirname, '../packages/server/public')
const limitKb = 200
const limitMs = 50
const writes = 200

/** The scripts that are loaded until the front page stands still, compressed with gzip. */
async function measureScripts(
  page: Page,
  url: string,
): Promise<readonly [name: string, kb: number][]> {
  const names = new Set<string>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.endsWith('.js')) names.add(pathname)
  })
  await page.goto(`${url}/acme`)
  await page.waitForLoadState('networkidle')
  return [...names].map((name) => {
    const bytes = gzipSync(readFileSync(join(built, name)), { level: 9 }).length
    return [name, bytes / 1000] as const
  })
}

/**
 * From the answer of a write, which comes after its commit, to the frame in which the page shows it: the hint, the read that
 * follows from it, and React. Both clocks are this machine's.
 */
async function measureLive(
  { ask, url }: MeasuredDashboard,
  page: Page,
): Promise<readonly number[]> {
  const { items } = await ask<{ items: { id: string; name: string }[] }>('GET /environments')
  const [environment] = items
  if (environment === undefined) throw new Error('There is no environment')
  const schema = { title: { type: 'string', tier: 'public' } }
  const { id } = await ask<{ id: string }>('POST /config-schemas', { name: 'bench', schema })
  await page.goto(`${url}/acme/config`)
  await page.locator('[id="cell-1-title"]').waitFor()
  await page.locator('[data-live=live]').waitFor()
  const times: number[] = []
  for (let write = 0; write < writes; write += 1) {
    const shown = page.evaluate(async (text) => {
      while (document.querySelector('[id="cell-1-title"]')?.textContent?.includes(text) !== true)
        await new Promise((resolve) => requestAnimationFrame(resolve))
      return performance.timeOrigin + performance.now()
    }, `value ${write}.`)
    const values = { title: `value ${write}.` }
    await ask('PUT /config-values', { schemaId: id, environmentId: environment.id, values })
    const committedAt = performance.timeOrigin + performance.now()
    times.push(Math.max(0, (await shown) - committedAt))
  }
  return times
}

const dashboard = await startDashboard()
try {
  const scripts = await measureScripts(await dashboard.openPage(), dashboard.url)
  const totalKb = scripts.reduce((sum, [, kb]) => sum + kb, 0)
  const times = await measureLive(dashboard, await dashboard.openPage())
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  recordResult({
    figure: 'P11',
    what: 'the scripts of the front page, gzip; a committed write until the frame that shows it',
    reach: `<= ${limitKb} kB; p99 <= ${limitMs} ms`,
    found: `${totalKb.toFixed(0)} kB; p99 ${p99.toFixed(0)} ms, p50 ${p50.toFixed(0)} ms`,
    reached: totalKb <= limitKb && p99 <= limitMs,
    measured: { scripts: Object.fromEntries(scripts), totalKb, p50Ms: p50, p99Ms: p99, writes },
  })
} finally {
  await dashboard.close()
}
