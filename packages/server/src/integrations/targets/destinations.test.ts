import type { Sandbox } from '@signalbox/sandbox'
import { open as openBox } from 'tweetnacl-sealedbox-js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOpenTarget, type OpenTarget } from '../grants/open-target.ts'
import { openInstalled, type Installed } from '../testing/open-installed.ts'
import { findDestination } from '../../providers/find-provider.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { RemoteName, TargetApi } from '../../providers/target.ts'

let installed: Installed
let sandbox: Sandbox
let openTarget: OpenTarget

beforeAll(async () => {
  installed = await openInstalled()
  sandbox = installed.sandbox
  openTarget = createOpenTarget(installed.deps)
})
afterAll(() => installed.close())
beforeEach(() => installed.reset())

const granted = {
  metadata: 'read',
  secrets: 'write',
  actions_variables: 'write',
  environments: 'write',
  actions: 'read',
} as const
const grant = (permissions: object) => {
  const installation = sandbox.github.state.installations.get(Number(installed.accountId))
  Object.assign(installation ?? {}, { permissions })
}
const githubAt = async (environment?: string) => {
  const calls = await openTarget({ orgId: installed.orgId, provider: 'github', token: undefined })
  const address = await calls.locate({
    repository: 'acme/shop',
    ...(environment !== undefined && { environment }),
  })
  return { address, api: calls.open(address) }
}
const secretOf = (name: string): RemoteName => ({ store: 'secret', name })
const put = (api: TargetApi, store: 'secret' | 'variable', name: string, value: string) =>
  api.put({ store, name, value }, undefined)
const decode = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))

/** Opens a secret as GitHub does before it gives it to a workflow, by another library than the one that sealed it. */
function openSecret(vault: Installed['repository']['vault'], name: string): string | undefined {
  const { encryptedValue = '' } = vault.secrets.get(name) ?? {}
  const opened = openBox(decode(encryptedValue), decode(vault.publicKey), decode(vault.privateKey))
  return opened === null ? undefined : Buffer.from(opened).toString('utf8')
}

describe('GitHub', () => {
  beforeEach(() => grant(granted))

  it('gets a secret that another library opens, and a variable as it is', async () => {
    const { address, api } = await githubAt()
    expect(address).toMatchObject({ id: `github:${installed.repository.id}`, name: 'acme/shop' })
    await put(api, 'secret', 'STRIPE_KEY', 'sk_live_ü✓')
    await put(api, 'variable', 'API_URL', 'https://api.example.com')
    const { vault } = installed.repository
    expect(openSecret(vault, 'STRIPE_KEY')).toBe('sk_live_ü✓')
    expect(vault.variables.get('API_URL')?.value).toBe('https://api.example.com')
    expect(await api.list()).toEqual([
      { store: 'secret', name: 'STRIPE_KEY' },
      { store: 'variable', name: 'API_URL' },
    ])
  })

  it('keeps an environment apart from its repository', async () => {
    sandbox.github.activity.addEnvironment(installed.repository, 'eu/Live')
    const { address, api } = await githubAt('EU/live')
    expect(address).toMatchObject({
      id: `github:${installed.repository.id}:eu/live`,
      name: 'acme/shop, environment eu/Live',
    })
    await put(api, 'secret', 'KEY', 'of the environment')
    await put(api, 'variable', 'URL', 'there')
    const vault = installed.repository.environments.get('eu/live')?.vault
    expect(vault && openSecret(vault, 'KEY')).toBe('of the environment')
    expect(installed.repository.vault.secrets.size).toBe(0)
    await expect(githubAt('none')).rejects.toMatchObject({ failure: 'notFound' })
  })

  it('takes a repeat of every write, and creates no variable over one that has come meanwhile', async () => {
    const { api } = await githubAt()
    for (const value of ['one', 'two']) await put(api, 'secret', 'KEY', value)
    await put(api, 'variable', 'URL', 'of others')
    await expect(put(api, 'variable', 'URL', 'one')).rejects.toMatchObject({ failure: 'rejected' })
    expect(installed.repository.vault.variables.get('URL')?.value).toBe('of others')
    const url: RemoteName = { store: 'variable', name: 'URL' }
    for (const value of ['one', 'two']) await api.put({ ...url, value }, url)
    expect(openSecret(installed.repository.vault, 'KEY')).toBe('two')
    expect(installed.repository.vault.variables.get('URL')?.value).toBe('two')
    await api.remove(secretOf('KEY'))
    await api.remove(secretOf('KEY'))
    await api.remove({ store: 'variable', name: 'URL' })
    expect(await api.list()).toEqual([])
  })

  it('shows the names of every page', async () => {
    const { api } = await githubAt()
    const at = new Date()
    for (let index = 0; index < 65; index += 1) {
      const name = `NAME_${index}`
      installed.repository.vault.variables.set(name, {
        name,
        value: 'x',
        createdAt: at,
        updatedAt: at,
      })
    }
    expect(await api.list()).toHaveLength(65)
  })

  it('refuses without the permission, which leads to the page that grants it', async () => {
    const { api } = await githubAt()
    grant({ metadata: 'read', actions: 'write' })
    // The token of the moment before still has the permissions; GitHub ends it with the hour.
    sandbox.clock.advance(2 * 3_600_000)
    const error: unknown = await put(api, 'secret', 'KEY', 'x').catch((thrown: unknown) => thrown)
    if (!(error instanceof ProviderError)) throw error
    expect(error.failure).toBe('forbidden')
    const context = installed.deps.contextOf('github')
    expect(
      findDestination('github')?.target.explain(error, { context, addressName: 'acme/shop' }),
    ).toMatchObject({
      reason: 'permission_missing',
      url: `${sandbox.addresses.githubWeb}/settings/apps/${sandbox.github.app.slug}/permissions`,
    })
    // Once it is granted, the next call makes a token that has it.
    grant(granted)
    await put(api, 'secret', 'KEY', 'x')
    expect(openSecret(installed.repository.vault, 'KEY')).toBe('x')
  })

  it('is told apart when it is busy, failing, or without the repository', async () => {
    const { api } = await githubAt()
    const fail = (status: number, headers: Readonly<Record<string, string>> = {}) => {
      const fault = { kind: 'answer', status, headers, body: '{}' } as const
      sandbox.faults.add({ provider: 'github', request: 'PUT /', fault })
    }
    fail(429, { 'retry-after': '7' })
    const at = sandbox.clock.now().getTime()
    await expect(put(api, 'secret', 'KEY', 'x')).rejects.toMatchObject({ failure: 'rateLimited' })
    fail(502)
    await expect(put(api, 'secret', 'KEY', 'x')).rejects.toMatchObject({ failure: 'ambiguous' })
    fail(404)
    await expect(put(api, 'secret', 'KEY', 'x')).rejects.toMatchObject({ failure: 'notFound' })
    expect(sandbox.clock.now().getTime()).toBeGreaterThanOrEqual(at)
    expect(installed.repository.vault.secrets.size).toBe(0)
  })
})
