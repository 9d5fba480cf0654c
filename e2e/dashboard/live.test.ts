import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDashboard, settle, type Dashboard } from './open-dashboard.ts'
import { openPipeline, type Pipeline } from './play-deployments.ts'

let dashboard: Dashboard
let pipeline: Pipeline

beforeAll(async () => {
  dashboard = await openDashboard()
  pipeline = openPipeline(dashboard.service)
  await pipeline.deploy({ message: 'The first one' })
})
afterAll(() => dashboard.close())

describe('two pages of one browser', () => {
  it('share one stream, and both show what is new without being loaded again', async () => {
    const seat = await dashboard.open()
    const streams: string[] = []
    const loads: string[] = []
    seat.page.context().on('request', (request) => {
      const url = request.url()
      if (url.endsWith('/events')) streams.push(url)
      if (request.isNavigationRequest()) loads.push(url)
    })
    const { page: list } = seat
    await seat.go('/deployments')
    const overview = await list.context().newPage()
    await overview.goto(`${dashboard.service.apiUrl}/acme`)
    await settle(overview)
    for (const page of [list, overview]) await page.locator('[data-live=live]').waitFor()

    const id = await pipeline.deploy({ environment: 'production', message: 'The second one' })
    await list.getByRole('button', { name: '1 new' }).waitFor()
    await overview.getByRole('link', { name: 'The second one' }).waitFor()
    await pipeline.test(id, {})
    await overview.getByText('412 passed').first().waitFor()
    expect(streams).toHaveLength(1)
    expect(loads).toHaveLength(2)

    // The page that held the stream goes: the other one takes it over, and misses nothing.
    await list.close()
    await expect.poll(() => streams.length, { timeout: 10_000 }).toBe(2)
    await overview.locator('[data-live=live]').waitFor()
    await pipeline.deploy({ environment: 'staging', message: 'The third one' })
    await overview.getByRole('link', { name: 'The third one' }).waitFor()
    expect(loads).toHaveLength(2)
    await seat.close()
  })
})
