import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  oidcClient,
  openOidcProvider,
  type TestOidcProvider,
} from '../identity/testing/open-oidc-provider.ts'
import { readSettings } from '../settings.ts'
import { createTestDatabase, type TestDatabase } from '../store/testing/test-database.ts'
import { silentLog } from '../telemetry/log.ts'
import type { Service } from './service.ts'
import { startService } from './start-service.ts'

const publicUrl = 'http://signalbox.test'
const callback = `${publicUrl}/sign-in/oidc/callback`

let database: TestDatabase
let directory: string
let provider: TestOidcProvider

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-oidc-'))
  database = await createTestDatabase()
  provider = await openOidcProvider(callback)
})
afterAll(async () => {
  await provider.close()
  await database.drop()
  await rm(directory, { recursive: true, force: true })
})

interface Node extends Pick<Service, 'close'> {
  /** Holds the address it listens at. Browsers are given `publicUrl` instead. */
  readonly url: string
}

async function start(issuer: string): Promise<Node> {
  const port = await findFreePort()
  const settings = readSettings({
    DATABASE_URL: database.databaseUrl,
    SIGNALBOX_ROLES: 'api',
    SIGNALBOX_ROOT_KEY: 'A'.repeat(43),
    SIGNALBOX_DATA_DIR: directory,
    SIGNALBOX_API_PORT: String(port),
    SIGNALBOX_PUBLIC_URL: publicUrl,
    SIGNALBOX_RATE_LIMITS: 'off',
    SIGNALBOX_OIDC_ISSUER: issuer,
    SIGNALBOX_OIDC_CLIENT_ID: oidcClient.clientId,
    SIGNALBOX_OIDC_CLIENT_SECRET: oidcClient.clientSecret,
  })
  const service = await startService(settings, silentLog)
  return { close: () => service.close(), url: `http://127.0.0.1:${port}` }
}

/** A service that is told its public address does not say at which port it listens. */
async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  await new Promise((resolve) => {
    server.close(resolve)
  })
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Asks a service as a browser does that follows nothing by itself. */
async function visit(address: string | URL, cookie = '') {
  const answer = await fetch(address, { redirect: 'manual', headers: { cookie } })
  const [pair = ''] = answer.headers.getSetCookie().map((line) => line.split(';')[0])
  return { answer, location: answer.headers.get('location') ?? '', cookie: pair ?? '' }
}

describe('a service whose settings name an OpenID provider', () => {
  it('starts although the provider cannot be reached, and says so to who signs in', async () => {
    const service = await start('http://127.0.0.1:1')
    const options = await fetch(`${service.url}/sign-in/options`)
    expect(await options.json()).toMatchObject({ oidc: { name: '127.0.0.1:1' } })
    const { location } = await visit(`${service.url}/sign-in/oidc`)
    expect(location).toBe('/login?error=provider_unavailable')
    await service.close()
  })

  it('signs in whoever was invited, at another node than the one where it began', async () => {
    await database.asOwner(`insert into organizations (id, slug, name) values ('org_1', 'acme', 'Acme');
      insert into invitations (org_id, id, email, role, token_hash, invited_by, created_at, expires_at)
      values ('org_1', 'inv_1', 'ada@example.com', 'viewer', '', '{}', now(), now() + interval '1 day')`)
    provider.account = { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada' }
    const [one, other] = [await start(provider.issuer), await start(provider.issuer)]
    const begun = await visit(`${one.url}/sign-in/oidc`)
    const back = await provider.openBrowser().visit(begun.location, callback)
    const finished = await visit(`${other.url}${back.pathname}${back.search}`, begun.cookie)
    expect(finished.location).toBe('/')
    const me = await visit(`${one.url}/me`, finished.cookie)
    expect(await me.answer.json()).toMatchObject({ name: 'Ada', email: 'ada@example.com' })
    await one.close()
    await other.close()
  })
})
