import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dialogs } from '../dialogs.ts'
import { openFurnished, type Furnished } from '../furnished.ts'
import { listMisfits } from '../measure-page.ts'
import type { Seat } from '../open-dashboard.ts'
import { settle } from '../page/settle.ts'
import { ada, addPerson, ageSessions } from '../people/play-people.ts'
import { focused } from '../read-focus.ts'

let dashboard: Furnished
let seat: Seat
let page: Page

beforeAll(async () => {
  dashboard = await openFurnished()
  await addPerson(dashboard, { name: 'Lin', role: 'developer' })
  seat = await dashboard.open()
  page = seat.page
})
afterAll(() => dashboard.close())

type Act = () => Promise<void>

/** Turns a flag in development and saves it, which shows a message. The focus is in its cell. */
async function turn(flag: string): Promise<void> {
  await page.getByRole('switch', { name: `${flag} in development` }).click()
  await page.keyboard.press('Control+s')
  await within('Save').click()
  await page.getByText('1 change saved in development.').waitFor()
  await expect.poll(() => layer().count()).toBe(0)
}

const layer = () => page.locator('dialog[open], [role=menu]:popover-open')
const within = (name: string) => layer().getByRole('button', { name, exact: true })
const escape = () => page.keyboard.press('Escape')
const back = () => page.evaluate(() => history.back())
const cross = () => within('Close').click()
const cancel = () => within('Cancel').click()
/** Types into the field and sends it with what holds it. */
const send = (label: string, text: string, button: string) => async () => {
  await layer().getByRole('textbox', { name: label, exact: true }).fill(text)
  await within(button).click()
}

interface Layer {
  readonly path: string
  /** The button that has the focus before, and gets it back. */
  readonly opener: string | RegExp
  /** Names the key to press. Default Enter. */
  readonly key?: string
  /** Opens the next layer. */
  readonly further?: Act
  readonly ways: Readonly<Record<string, Act>>
}

/** Lists everything that lies over a screen. */
const layers: Readonly<Record<string, Layer>> = {
  'menu of the person': { path: '/keys', opener: 'Account of Ada', ways: { escape } },
  'menu of a row': { path: '/keys', opener: /^Actions for/, ways: { escape } },
  palette: { path: '/keys', opener: /^Search or jump to/, ways: { escape, back } },
  'keyboard shortcuts': { path: '/keys', opener: 'New key', key: '?', ways: { escape, cross } },
  webhook: { path: '/webhooks', opener: 'Open', ways: { escape, cross, back } },
  route: { path: '/notifications', opener: 'New route', ways: { escape, cancel } },
  'route that is changed': {
    path: '/notifications',
    opener: 'Actions for Failures',
    further: () => layer().getByRole('menuitem', { name: 'Edit' }).press('Enter'),
    ways: { cancel, back, save: send('Name', 'Failures', 'Save') },
  },
  rule: {
    path: '/integrations/codehost',
    opener: 'Add a rule',
    ways: { escape, cancel, save: send('Name on GitHub', 'preview/*', 'Save') },
  },
  export: {
    path: '/config',
    opener: 'Export',
    ways: { escape, cancel, save: () => within('Save file').click() },
  },
  version: { path: '/history', opener: /^development v/, ways: { escape, cross } },
  restore: {
    path: '/history',
    opener: /^development v/,
    further: () => layer().getByRole('button', { name: 'Undo this change' }).click(),
    ways: { escape, back, cancel, save: () => within('Undo').click() },
  },
  'workflow that is run': {
    path: '/deployments',
    opener: 'Run workflow',
    ways: {
      escape,
      cancel,
      async save() {
        await within('Run workflow').click()
        await within('Done').click()
      },
    },
  },
  environment: {
    path: '/environments',
    opener: 'Create environment',
    ways: { escape, cancel, save: send('Name', 'preview', 'Create') },
  },
  invitation: {
    path: '/members',
    opener: 'Invite',
    ways: {
      cancel,
      async save() {
        await send('E-mail', 'hopper@example.com', 'Create link')()
        await within('Done').click()
      },
    },
  },
}

/** Lists the shadows of visible menus and messages over the rest of the page. */
const shades = () =>
  page
    .locator(':popover-open')
    .evaluateAll((all) => all.map((one) => getComputedStyle(one, '::backdrop').backgroundColor))

/** Lists the shadows of the open dialogs. */
const shadesOfDialogs = () =>
  page
    .locator('dialog[open]')
    .evaluateAll((all) => all.map((one) => getComputedStyle(one, '::backdrop').backgroundColor))

/**
 * Lists the faults of the current page: in both themes, and in windows of several widths. Where a dialog is open, nothing behind
 * it can be reached, and `every-screen.test.ts` looks at that screen: only the dialog is examined.
 */
async function lookAt(name: string): Promise<readonly string[]> {
  await seat.picture(`layer-${name}`)
  const hasDialog = (await page.locator('dialog[open]').count()) > 0
  return [
    ...(await seat.violationsInBothThemes(hasDialog ? 'dialog[open]' : undefined)),
    ...seat.complaints(),
    ...(await listMisfits(page)),
  ]
}

/** Goes to a screen as a link does, or loads it where a link would keep a dialog or a message of the test before. */
async function visit(path: string): Promise<void> {
  await seat.go('/nowhere')
  const isLeft = (await page.locator('dialog[open], :popover-open').count()) > 0
  await (isLeft ? seat.load(path) : seat.go(path))
}

async function open({ opener, key = 'Enter', further }: Layer): Promise<string> {
  await page.getByRole('button', { name: opener, exact: true }).first().focus()
  const before = await focused(page)
  await page.keyboard.press(key)
  await layer().waitFor()
  await further?.()
  await layer().waitFor()
  await page.waitForFunction(() => document.querySelector('[aria-label=Loading]') === null)
  return before
}

describe('what lies over a screen', () => {
  it.each(Object.entries(layers))(
    '%s is accessible in both themes, fits a phone, and gives the focus back however it is closed',
    async (name, one) => {
      const faults: string[] = []
      await visit(one.path)
      for (const [at, [way, close]] of Object.entries(one.ways).entries()) {
        const before = await open(one)
        faults.push(...(at === 0 ? await lookAt(name.replaceAll(' ', '-')) : []))
        await close()
        await expect.poll(() => layer().count()).toBe(0)
        await expect.poll(() => focused(page), { message: `by ${way}` }).toBe(before)
      }
      expect(faults).toEqual([])
    },
  )

  it('a message covers no cell, a menu and a message leave the page as bright as it is, a dialog does not', async () => {
    await seat.load('/flags')
    await turn('newCheckout')
    const message = await page.getByRole('region', { name: 'Messages (F6)' }).boundingBox()
    const grid = await page.getByRole('grid').boundingBox()
    expect((message?.x ?? 0) + (message?.width ?? 9999)).toBeLessThanOrEqual(grid?.x ?? 0)
    await page.getByRole('button', { name: 'Account of Ada' }).press('Enter')
    await layer().waitFor()
    expect(await shades()).toEqual(['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)'])
    await escape()
    await page.keyboard.press('Control+k')
    const shade = page
      .getByRole('dialog')
      .evaluate((one) => getComputedStyle(one, '::backdrop').backgroundColor)
    expect(await shade).toMatch(/^rgba\(10, 12, 18/)
  })

  it('a message is accessible in both themes, fits a phone, and leaves the focus where it is', async () => {
    await seat.load('/flags')
    await turn('searchV2')
    // Its text changes when the matrix is read again.
    const cell = () => page.evaluate(() => document.activeElement?.closest('[id^="cell-"]')?.id)
    const before = await cell()
    expect(before).toMatch(/-searchV2$/)
    await page.keyboard.press('F6')
    await expect.poll(() => focused(page)).toBe('Undo')
    await page.getByRole('button', { name: 'Dismiss' }).press('Enter')
    await expect.poll(cell).toBe(before)
    // A phone shows production alone, without the cell that had the focus.
    await turn('searchV2')
    expect(await lookAt('message')).toEqual([])
  })

  it('the question who is there is accessible in both themes, fits a phone, and gives the focus back', async () => {
    await ageSessions(dashboard)
    await seat.load('/keys')
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('asked')
    const question = page.getByRole('dialog', { name: 'Confirm it’s you' })
    const create = page.getByRole('button', { name: 'Create key' })
    const ask = async () => {
      // It takes no press before the call that was given up has ended.
      await expect.poll(() => create.getAttribute('aria-busy')).toBeNull()
      await create.press('Enter')
      await expect.poll(() => focused(page)).toBe('Password')
    }
    await ask()
    expect(await lookAt('step-up')).toEqual([])
    // The page is dimmed once, by the topmost.
    const dimmed = expect.stringMatching(/^rgba\(10, 12, 18/)
    expect((await shadesOfDialogs()).toSorted()).toEqual(['rgba(0, 0, 0, 0)', dimmed])
    for (const close of [escape, () => question.getByRole('button', { name: 'Cancel' }).click()]) {
      await close()
      await question.waitFor({ state: 'detached' })
      await expect.poll(() => focused(page)).toBe('Create key')
      expect(await shadesOfDialogs()).toEqual([dimmed])
      await ask()
    }
    await page.keyboard.type(ada.password)
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Browser key' }).waitFor()
    expect(await focused(page)).not.toBe('body')
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await expect.poll(() => focused(page)).toBe('New key')
  })
})

describe('every other dialog', () => {
  it.each(Object.entries(dialogs))(
    '%s is accessible in both themes, and nothing of it is cut in windows narrow and wide',
    async (name, { path, open: openIt }) => {
      if (path.startsWith('~')) {
        await page.goto(`${dashboard.service.apiUrl}${path.slice(1)}`)
        await settle(page)
      } else await visit(path)
      await openIt?.(page)
      await page.locator('dialog[open]').waitFor()
      await page.waitForFunction(() => document.querySelector('[aria-label=Loading]') === null)
      expect(await lookAt(name.replaceAll(/[ ,.]+/g, '-'))).toEqual([])
    },
  )

  it('is looked at by what finds a field without a name, a text that is cut, and one that is too pale in either theme', async () => {
    await seat.load('/schemas?panel=create')
    await page.locator('dialog[open]').waitFor()
    await page.evaluate(() => {
      const pale = Object.assign(document.createElement('p'), { textContent: 'pale '.repeat(40) })
      Object.assign(pale.style, { color: '#777', background: '#888' })
      Object.assign(pale.style, { width: '200px', overflow: 'hidden', whiteSpace: 'nowrap' })
      document.querySelector('dialog[open]')?.append(document.createElement('input'), pale)
    })
    const found = await lookAt('control')
    expect(found).toContainEqual(expect.stringMatching(/^label: /))
    expect(found).toContainEqual(expect.stringMatching(/^color-contrast: <p /))
    expect(found).toContainEqual(expect.stringMatching(/^in the other theme, color-contrast: <p /))
    expect(found).toContainEqual(expect.stringMatching(/^at 1280 cut: p "pale/))
  })
})
