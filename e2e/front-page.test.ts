import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDashboard, type Dashboard } from './dashboard/open-dashboard.ts'
import { frontPageLimitKb, measureLoad, readIndexPage, sumKb } from './front-page.ts'

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard?.close())

it('The front page is loaded with at most 200 kB of scripts and styles (P11)', async () => {
  const seat = await dashboard.open()
  const files = await measureLoad(seat.page, `${dashboard.service.apiUrl}/acme`)
  await seat.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  const paths = files.map(([path]) => path)
  // That all of it was seen: what the page names itself, and the screen, which is loaded after it.
  expect(paths).toEqual(expect.arrayContaining([...readIndexPage()]))
  expect(paths.filter((path) => path.includes('/overview-screen-'))).toHaveLength(1)
  const totalKb = sumKb(files)
  const largest = files.toSorted(([, one], [, other]) => other - one).slice(0, 5)
  const told = largest.map(([path, kb]) => `${path} ${kb.toFixed(1)}`).join(', ')
  const excess = [`${totalKb.toFixed(1)} kB of ${frontPageLimitKb}; the largest: ${told}`]
  expect(totalKb <= frontPageLimitKb ? [] : excess).toEqual([])
  await seat.close()
})
