import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withRealServer } from '../../testing/with-server.ts'

const { server, place } = withRealServer()

const run = (args: readonly string[], stdin?: string) =>
  place.run(args, {
    env: server.asOperator,
    ...(stdin === undefined ? {} : { stdin }),
  })
const webhooks = (...args: string[]) => run(['webhooks', ...args])
const secret = /^whsec_[A-Za-z0-9+/]+=*\n$/

describe('webhooks', () => {
  it('are created with the secret alone on standard output, listed without it, and deleted', async () => {
    expect((await webhooks()).stdout).toContain('There are no outgoing webhooks.')
    const url = 'https://hooks.example.com/signalbox'
    const created = await webhooks('create', 'Deploys', '--url', url, '--events', 'config.changed')
    expect(created).toMatchObject({ code: 0 })
    expect(created.stdout).toMatch(secret)
    const listed = await webhooks()
    expect(listed.stdout).toMatch(
      /^Deploys {2}ok {2}https:\/\/hooks\.example\.com\/signalbox {2}config\.changed {2}whk_/,
    )
    expect(listed.stdout).not.toContain('whsec_')
    expect((await webhooks('delete', 'Deploy', '--yes')).stderr).toContain(
      'Did you mean "Deploys"?',
    )
    expect(await webhooks('delete', 'Deploys')).toMatchObject({ code: 2 })
    expect(await webhooks('delete', 'Deploys', '--yes')).toMatchObject({ code: 0 })
    expect((await webhooks()).stdout).toContain('There are no outgoing webhooks.')
  })

  it('keep a secret in a file of its owner, and create nothing where it cannot be written', async () => {
    const url = 'https://hooks.example.com'
    const file = join(place.directory, 'hook.secret')
    const args = ['create', 'Filed', '--url', url, '--secret-file']
    expect(await webhooks(...args, 'nowhere/hook.secret')).toMatchObject({ code: 2 })
    expect((await webhooks()).stdout).not.toContain('Filed')
    const created = await webhooks(...args, 'hook.secret')
    expect(created).toMatchObject({ code: 0, stdout: '' })
    expect(created.stderr).not.toContain('whsec_')
    const first = readFileSync(file, 'utf8')
    expect(first).toMatch(secret)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const rotated = await webhooks(
      'rotate',
      'Filed',
      '--overlap',
      '0',
      '--secret-file',
      'hook.secret',
    )
    expect(rotated.stderr).toContain('The former one no longer signs.')
    expect(readFileSync(file, 'utf8')).not.toBe(first)
    const json = JSON.parse((await webhooks('rotate', 'Filed', '--json')).stdout) as {
      webhook: { overlapEndsAt: string | null }
      secret: string
    }
    expect(`${json.secret}\n`).toMatch(secret)
    expect(json.webhook.overlapEndsAt).not.toBeNull()
    await webhooks('delete', 'Filed', '--yes')
  })

  it('are tested, say what the receiver answered, and list it', async () => {
    // A header for the receiver comes from standard input and is shown nowhere.
    const args = ['--url', 'https://localhost:9/hook', '--authorization-stdin']
    const header = 'Bearer of-the-receiver'
    const created = await run(['webhooks', 'create', 'Local', ...args], header)
    expect(created).toMatchObject({ code: 0 })
    const tested = await webhooks('test', 'Local')
    expect(tested.code).toBe(1)
    expect(tested.stdout).toMatch(/^✗ Local: .+ {2}msg_\w+\n$/)
    const deliveries = await webhooks('deliveries', 'Local')
    expect(deliveries.stdout).toContain('webhook.test')
    const id = /msg_\w+/.exec(deliveries.stdout)?.[0] ?? ''
    expect((await webhooks('replay', 'Local', id)).stderr).toContain('already waits')
    const shown = [created, tested, deliveries]
      .map(({ stdout, stderr }) => stdout + stderr)
      .join('')
    expect(shown).not.toContain('of-the-receiver')
    await webhooks('delete', 'Local', '--yes')
  })

  it('refuse an unknown event and a missing address with what there is', async () => {
    expect((await webhooks('create', 'X')).stderr).toContain('--url https://')
    const args = ['create', 'X', '--url', 'https://example.com', '--events', 'deployment.finshed']
    expect((await webhooks(...args)).stderr).toContain('Did you mean "deployment.finished"')
  })
})

describe('service-accounts', () => {
  it('are added to a key, replaced, listed and removed', async () => {
    const accounts = (...args: string[]) => run(['service-accounts', ...args])
    expect((await accounts()).stdout).toContain('No API key accepts a service account.')
    expect((await accounts('add', 'm2m')).stderr).toContain('--issuer, --namespace and --name')
    const account = ['--issuer', 'https://oidc.example.com', '--namespace', 'shop', '--name', 'web']
    expect(await accounts('add', 'm2m', ...account)).toMatchObject({ code: 0 })
    expect((await accounts('list', 'm2m')).stdout).toMatch(
      /^m2m {2}shop\/web {2}https:\/\/oidc\.example\.com {2}keys read at the issuer\n$/,
    )
    writeFileSync(join(place.directory, 'jwks.json'), '[]')
    const withKeys = ['add', 'm2m', ...account, '--keys', 'jwks.json']
    expect((await accounts(...withKeys)).stderr).toContain('kubectl get --raw /openid/v1/jwks')
    const other = [...account.slice(0, 5), 'worker']
    expect(await accounts('add', 'm2m', ...other)).toMatchObject({ code: 0 })
    expect((await accounts()).stdout.split('\n')).toHaveLength(3)
    expect(await accounts('remove', 'm2m', '--name', 'web')).toMatchObject({ code: 2 })
    expect(await accounts('remove', 'm2m', '--name', 'web', '--yes')).toMatchObject({ code: 0 })
    expect((await accounts()).stdout).toMatch(/^m2m {2}shop\/worker {2}\S+ {2}.*\n$/)
    expect((await accounts('remove', 'm2m', '--name', 'web')).stderr).toContain('no such service')
    expect(await accounts('remove', 'm2m', '--yes')).toMatchObject({ code: 0 })
    expect((await accounts()).stdout).toContain('No API key accepts a service account.')
  })
})

describe('agent-tokens', () => {
  it('are created in the browser, listed for their member, and ended', async () => {
    const browser = await server.openBrowser()
    const token = await browser.createToken()
    const tokens = (...args: string[]) =>
      place.run(['agent-tokens', ...args], { env: { SIGNALBOX_TOKEN: token } })
    expect((await tokens()).stdout).toContain('There are no agent tokens.')
    const created = await tokens('create')
    expect(created.stdout).toBe(`${server.url}/${server.slug}/keys?panel=agent\n`)
    const secretOfAgent = await browser.createAgentToken('laptop')
    const listed = await tokens()
    expect(listed.stdout).toMatch(/^laptop {2}reads {2}for Ada {2}never used {2}ends \d{4}-/)
    expect(listed.stdout).not.toContain(secretOfAgent)
    expect((await tokens('end', 'laptpo')).stderr).toContain('Did you mean "laptop"?')
    expect(await tokens('end', 'laptop', '--yes')).toMatchObject({ code: 0 })
    expect((await tokens()).stdout).toContain('There are no agent tokens.')
  })
})
