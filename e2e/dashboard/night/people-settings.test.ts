import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerReads } from '../answer-reads.ts'
import { look, lookEverywhere, press } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { settle } from '../page/settle.ts'
import { addPerson, choose, type Person } from '../people/play-people.ts'

let dashboard: Dashboard
let grace: Person

beforeAll(async () => {
  // GitHub's application is what whoever runs the server enters, and not in the settings.
  dashboard = await openDashboard({ withoutApps: true })
  grace = await addPerson(dashboard, { name: 'Grace', role: 'admin' })
})
afterAll(() => dashboard.close())

/** Work of an organization, or of the server, that failed for good. */
const addFailedJob = (id: string, orgId: string | null) =>
  dashboard.service.asOwner(
    `insert into failed_jobs (id, org_id, queue, job_id, data, data_hash, cause, reason, attempts, failed_at)
     values ($1, $2, 'retention.purge', gen_random_uuid(), '{}', sha256($1::text::bytea), 'failed',
       'The disk is full', 5, now())`,
    [id, orgId],
  )

describe('the server', () => {
  it('shows whoever runs it how it is, and leads to what failed for good', async () => {
    await addFailedJob('job_01k0000000e008000000000000', null)
    await addFailedJob('job_01k0000000e008000000000001', dashboard.service.orgId)
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/settings')
    await page.getByText('2 jobs').waitFor()
    await page.getByRole('cell', { name: 'The disk is full' }).waitFor()
    expect(await lookEverywhere(seat, 'settings-operator')).toEqual([])
    const dead = page.getByRole('region', { name: 'Permanently failed server jobs' })
    await press(dead, 'Run again')
    await page.getByText('retention.purge runs again.').waitFor()
    await dead.waitFor({ state: 'detached' })
    await page.getByText('1 job', { exact: true }).waitFor()

    await page
      .getByRole('region', { name: 'This server' })
      .getByRole('link', { name: 'Incoming webhooks' })
      .click()
    await page.getByRole('region', { name: 'Permanently failed' }).waitFor()
    await page.getByRole('cell', { name: 'The disk is full' }).waitFor()
  })

  it('is not there for anybody else, not even while it would be read, nor is the end of the organization', async () => {
    const seat = await dashboard.open({ session: grace.session })
    await answerReads(seat.page, { begin: 'never', which: /^\/server\// })
    await seat.go('/settings')
    await seat.page.getByRole('heading', { name: 'Organization', exact: true }).waitFor()
    expect(await seat.page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'Organization',
    ])
    expect(await look(seat, 'settings-admin')).toEqual([])
  })
})

describe('an application of the server', () => {
  it('is set up where its address leads, by whoever runs the server and nobody else', async () => {
    for (const { session, isShown } of [
      { session: undefined, isShown: true },
      { session: grace.session, isShown: false },
    ]) {
      const seat = await dashboard.open(session === undefined ? {} : { session })
      const { page } = seat
      await seat.go('/integrations?app=slack')
      await settle(page)
      const dialog = page.getByRole('dialog', { name: 'Slack application' })
      await expect.poll(() => dialog.isVisible()).toBe(isShown)
      const panel = page.getByRole('region', { name: 'Applications of this server' })
      await expect.poll(() => panel.count()).toBe(isShown ? 1 : 0)
      await seat.close()
    }
  })

  it('is stored, loses the secret that was replaced, and is forgotten', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/integrations')
    const { app } = dashboard.service.sandbox.github
    const row = page.getByRole('row', { name: /GitHub/ })
    const save = async (webhookSecret: string) => {
      await page.getByLabel('App ID').fill(String(app.id))
      await page.getByLabel('Slug').fill(app.slug)
      await page.getByLabel('Client ID').fill(app.clientId)
      await page.getByLabel('Client secret').fill(app.clientSecret)
      await page.getByLabel('Private key').fill(app.privateKey)
      await page.getByLabel('Webhook secret').fill(webhookSecret)
      await press(page, 'Save')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await choose(page, 'Actions for GitHub', 'Enter an existing GitHub App')
    await save('a-first-webhook-secret')
    await row.getByText('stored here, encrypted').waitFor()
    expect(await row.getByText('old webhook secret').count()).toBe(0)
    await row.getByRole('button', { name: 'Change' }).click()
    await save('a-second-webhook-secret')
    await row.getByText('old webhook secret ends').waitFor()
    expect(await look(seat, 'provider-app-former')).toEqual([])

    await choose(page, 'Actions for GitHub', 'End the old secret')
    await press(page.getByRole('dialog'), 'End the old secret')
    await row.getByText('old webhook secret').waitFor({ state: 'detached' })

    await choose(page, 'Actions for GitHub', 'Delete')
    const dialog = page.getByRole('dialog', { name: 'Delete the GitHub application?' })
    expect(await dialog.getByRole('button', { name: 'Delete the application' }).isDisabled()).toBe(
      true,
    )
    expect(await look(seat, 'provider-app-forget')).toEqual([])
    await dialog.getByLabel('Type "GitHub" to confirm').fill('GitHub')
    await press(dialog, 'Delete the application')
    await row.getByText('Not set up').waitFor()
    // Of settings nothing is to be ended here.
    expect(await page.getByRole('button', { name: 'Actions for Slack' }).count()).toBe(0)
  })
})
