import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openBrowser } from '../e2e/browser.ts'
import { startService } from '../e2e/start-service.ts'
import {
  setUpOrganization,
  type ConnectedOrganization,
} from '../packages/server/src/start/testing/connect-organization.ts'

/** The built service and a browser, for measuring the dashboard. */
export interface MeasuredDashboard extends Pick<ConnectedOrganization, 'ask' | 'orgId'> {
  readonly url: string
  /** A page of a fresh browser in which the owner is signed in. */
  readonly openPage: () => Promise<Page>
  readonly close: () => Promise<void>
}

export async function startDashboard(): Promise<MeasuredDashboard> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-measured-'))
  const service = await startService({
    entry: 'built',
    env: {
      SIGNALBOX_DATA_DIR: directory,
      SIGNALBOX_ROOT_KEY: randomBytes(32).toString('base64url'),
      SIGNALBOX_RATE_LIMITS: 'off',
      SIGNALBOX_LOG_LEVEL: 'warn',
    },
  })
  const [browser, { ask, orgId, session }] = await Promise.all([
    openBrowser(),
    setUpOrganization(service.apiUrl, service.setupUrl),
  ])
  return {
    ask,
    orgId,
    url: service.apiUrl,
    async openPage() {
      const context = await browser.newContext({ viewport: { width: 1360, height: 860 } })
      const [name = '', value = ''] = session.split('=')
      // Its name begins with `__Host-`, which the protocol takes from https alone.
      const secureUrl = service.apiUrl.replace('http:', 'https:')
      await context.addCookies([{ name, value, url: secureUrl, secure: true, httpOnly: true }])
      return context.newPage()
    },
    async close() {
      await browser.close()
      await service.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
