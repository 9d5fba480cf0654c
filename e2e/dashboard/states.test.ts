import { pageIds } from '@signalbox/contract'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openShop } from '../../packages/server/src/start/testing/play-push.ts'
import { answerReads, failure, failureId, rejection } from './answer-reads.ts'
import { askForChange, createConfigFixture } from './config/config-fixture.ts'
import { isNight } from '../is-night.ts'
import { openDashboard, type Dashboard, type Seat } from './open-dashboard.ts'
import { openPipeline } from './deployments/play-deployments.ts'
import { playRunner } from './deployments/play-runner.ts'
import { listScreens, type Emptiness, type Screen, type ShownIds } from './screens.ts'

const everyRead = /^\/(?:organizations\/|server\/|sessions|me\/)/
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true })

/**
 * A picture of it, and what is wrong with it. One component shows on all screens that they load, refuse or fail: it is examined
 * on the first screen of a file. The last state is examined as well. What stands around the content is the same in all states:
 * `every-screen.test.ts` examines it.
 */
async function look(
  seat: Seat,
  { name, isFirst }: Screen & { readonly isFirst: boolean },
  state: string,
): Promise<readonly string[]> {
  await seat.picture(`state-${name}-${state}`)
  const isLast = state === 'empty' || state === 'there'
  const violations = isLast || isFirst ? await seat.violationsInBothThemes('main') : []
  return [...violations, ...seat.complaints()]
}

/** Until there is none of them. */
const gone = (locator: Locator) => locator.first().waitFor({ state: 'hidden' })

/** As somebody who comes back to the tab: what could not be read is read anew. */
const comeBack = (page: Page) =>
  page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))

async function seesLoading(page: Page, { title }: Screen): Promise<void> {
  await page.getByRole('status', { name: 'Loading' }).first().waitFor()
  await heading(page, title).waitFor()
}

async function seesWhoMay(page: Page, { title, forbidden }: Screen): Promise<void> {
  await gone(page.getByRole('status', { name: 'Loading' }))
  await heading(page, title).waitFor()
  // To try again would change nothing.
  await gone(page.getByRole('button', { name: 'Try again' }))
  if (forbidden !== undefined) return
  await page.getByText('Your role does not allow this').first().waitFor()
  await page.getByText(rejection.detail).first().waitFor()
}

async function seesFailure(page: Page, { title }: Screen): Promise<void> {
  const alert = page.getByRole('alert').first()
  await alert.getByText(failure.title).waitFor()
  await alert.getByText(failure.detail).waitFor()
  await alert.getByText(`Request ${failureId}`, { exact: true }).waitFor()
  await heading(page, title).waitFor()
}

/** Presses every button that asks once more, until nothing is wrong any more. */
async function tryAgain(page: Page): Promise<void> {
  const buttons = page.getByRole('button', { name: 'Try again' })
  while ((await buttons.count()) > 0) {
    // Together, because the answer to one may take another away before it is pressed.
    await buttons.evaluateAll((shown) => shown.forEach((button) => (button as HTMLElement).click()))
    await buttons.first().waitFor({ state: 'hidden' })
  }
  await gone(page.getByRole('alert'))
  await gone(page.getByRole('status', { name: 'Loading' }))
}

async function seesNothingYet(page: Page, { title, why, action }: Emptiness): Promise<void> {
  const content = page.getByRole('main')
  await content.getByRole('heading', { name: title, exact: true }).first().waitFor()
  await content.getByText(why).first().waitFor()
  const press = content
    .getByRole('button', { name: action })
    .or(content.getByRole('link', { name: action }))
  await press
    .or(content.getByText(action, { exact: true }))
    .first()
    .waitFor()
}

const noIds: ShownIds = {
  deployment: '',
  schema: '',
  version: '',
  delivery: '',
  request: '',
  check: '',
  decision: '',
}

async function furnish(service: Dashboard['service'], hasWebhook: boolean): Promise<ShownIds> {
  const fixture = await createConfigFixture(service)
  const { schemaId } = fixture
  const first = async (path: string) => {
    const { items } = await service.ask<{ items: readonly { id: string }[] }>(`GET ${path}`)
    if (items[0] === undefined) throw new Error(`Nothing is listed yet: ${path}`)
    return items[0].id
  }
  let pushed: string | undefined
  if (hasWebhook) {
    await service.connect('codehost')
    pushed = openShop(service.sandbox).push('ABC-1 Keep the currency')
  }
  const deployment = await openPipeline(service).deploy()
  const { check, decision } = await playRunner(service, pushed)
  return {
    deployment,
    check: check.id,
    decision: decision.id,
    schema: schemaId,
    version: await first(`/config-versions?schemaId=${schemaId}`),
    request: await askForChange(service, fixture),
    delivery: hasWebhook
      ? await vi.waitFor(() => first('/webhook-deliveries'), { timeout: 20_000 })
      : '',
  }
}

/** By day a list, settings and one of many are shown: every screen loads, refuses and fails by the same component. */
const byDay = new Set(['deployments', 'deployment', 'settings', 'segment'])

/**
 * Shows each screen in its four states, in both themes. What is shown of one read by the same page: it never comes, then the
 * role is not enough, then the service fails, and then, asked once more by the button, it answers.
 */
describe.each([
  ['a screen', false],
  ['what is one of many', true],
])('%s', (_what, one) => {
  const list = (ids: ShownIds) =>
    pageIds
      .flatMap((page) => listScreens(ids)[page])
      .filter(({ name, isOne = false }) => isOne === one && (isNight || byDay.has(name)))
  let dashboard: Dashboard
  let screens: readonly Screen[]

  beforeAll(async () => {
    dashboard = await openDashboard()
    screens = list(await furnish(dashboard.service, one))
  })
  afterAll(() => dashboard.close())

  it.each(list(noIds).map(({ name }, at) => [name, at] as const))(
    'says that it loads, who may see it, what failed, and why it is empty: %s',
    async (_name, at) => {
      const found = screens[at]
      if (found === undefined) throw new Error('There is no such screen')
      const screen = { ...found, isFirst: at === 0 }
      const { path, reads: which = everyRead, empty } = screen
      const hasEmptiness = 'title' in empty
      const seat = await dashboard.open()
      const { page } = seat
      const reads = await answerReads(page, { begin: 'never', which })
      await page.goto(`${dashboard.service.apiUrl}${path}`)
      await seesLoading(page, screen)
      expect(await look(seat, screen, 'loading')).toEqual([])

      await reads.answer('refuses')
      await seesWhoMay(page, screen)
      expect(await look(seat, screen, 'forbidden')).toEqual([])

      await reads.answer('fails')
      await comeBack(page)
      await seesFailure(page, screen)
      expect(await look(seat, screen, 'error')).toEqual([])

      await reads.answer(hasEmptiness ? (empty.without ?? 'service') : 'service')
      await tryAgain(page)
      if (hasEmptiness) await seesNothingYet(page, empty)
      expect(await look(seat, screen, hasEmptiness ? 'empty' : 'there')).toEqual([])
      await seat.close()
    },
  )
})
