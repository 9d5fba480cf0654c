import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { providerAppEndpoints } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connectAll } from './testing/connect-organization.ts'
import { openConnected, type Connected } from './testing/open-connected.ts'
import { openShop } from './testing/play-push.ts'

const root = join(import.meta.dirname, '../../../..')
const guide = await readFile(join(root, 'docs/guide/integrations.md'), 'utf8')
const blocksOf = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)\\n\`\`\`$`, 'gms'))].map(
    ([, text = '']) => text,
  )

/** What the reader has: the address and the key, and programs that fail where the service refuses. */
const preamble = `
  set -eu
  JSON='content-type: application/json'
  curl() { command curl -sS --fail-with-body "$@"; echo; }
  signalbox() { "$NODE" --conditions=@signalbox/source "$ROOT/packages/cli/src/main.ts" "$@"; }
`
/** Those that say who the reader is, and the one of the operator. */
const isRun = (block: string) => !block.startsWith('ORG=') && !block.includes('/server/')

let service: Connected
let directory: string
let variables: Readonly<Record<string, string>>
/** What stands in the place of an id of the guide. */
let ids: Readonly<Record<string, string>>

interface Listed {
  readonly items: readonly { readonly id: string; readonly name: string }[]
}

beforeAll(async () => {
  service = await openConnected()
  const admin = await createAdminToken(service)
  directory = await mkdtemp(join(tmpdir(), 'signalbox-guide-'))
  const report =
    '<testsuite name="a"><testcase name="pays"><failure message="no"/></testcase></testsuite>'
  await writeFile(join(directory, 'results.xml'), report)
  const shop = openShop(service.sandbox)
  await connectAll(service)
  shop.push('ABC-1 Keep the currency')
  shop.deploy('staging', ['success'])
  // What the guide names appears as the webhooks are processed, in no promised order.
  const first = (path: string, name?: string) =>
    vi.waitFor(async () => {
      const { items } = await service.ask<Listed>(`GET ${path}`)
      const found = items.find((item) => name === undefined || item.name === name)
      if (!found) throw new Error(`Nothing at ${path} yet`)
      return found.id
    }, 20_000)
  const key = await service.ask<{ secret: string }>('POST /api-keys', { name: 'ci', kind: 'm2m' })
  const run = await service.ask<{ id: string }>('POST /test-runs', { name: 'smoke' })
  ids = {
    env: await first('/environments', 'staging'),
    dep: await first('/deployments'),
    dlv: await first('/webhook-deliveries?state=done'),
    run: run.id,
  }
  variables = {
    NODE: process.execPath,
    ROOT: root,
    PATH: process.env['PATH'] ?? '',
    HOME: directory,
    SIGNALBOX_URL: service.apiUrl,
    SIGNALBOX_TOKEN: key.secret,
    ORG: `${service.apiUrl}/organizations/${service.orgId}`,
    AUTH: `authorization: Bearer ${key.secret}`,
    TOKEN: admin,
  }
})
afterAll(async () => {
  await service.close()
  await rm(directory, { recursive: true, force: true })
})

/** Creates a personal access token of the person who set the server up. */
async function createAdminToken({ apiUrl, session }: Connected): Promise<string> {
  const created = await fetch(`${apiUrl}/me/tokens`, {
    method: 'POST',
    headers: {
      cookie: session,
      origin: apiUrl,
      'x-requested-by': 'dashboard',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'guide' }),
  })
  const { secret } = (await created.json()) as { readonly secret: string }
  return secret
}

async function run(block: string): Promise<number> {
  const text = block
    .replaceAll(/\b(env|dep|dlv|run)_…/g, (_, kind: string) => ids[kind] ?? '')
    .replaceAll('results/*.xml', 'results.xml')
  const ran = promisify(execFile)('bash', ['-c', preamble + text], {
    cwd: directory,
    env: variables,
  })
  return ran.then(
    () => 0,
    ({ code, stdout, stderr }) => {
      // With --fail the report above ends with 1, as the guide says.
      if (block.includes('--fail') && code === 1) return 0
      throw new Error(`${block}\nended with ${code}\n${stdout}\n${stderr}`)
    },
  )
}

describe('the guide to integrations', () => {
  it.each(blocksOf('sh').filter(isRun))('shows commands that are answered:\n%s', async (block) => {
    expect(await run(block)).toBe(0)
  })

  it('control: a command that is refused is found', async () => {
    await expect(run('curl "$ORG/pager" -H "$AUTH"')).rejects.toThrow('not_found')
  })

  it('shows an application as the server takes it', () => {
    const [shown = ''] = blocksOf('json')
    expect(providerAppEndpoints.saveProviderApp.body.parse(JSON.parse(shown))).toMatchObject({
      provider: 'github',
    })
  })

  it('shows a workflow whose run is found by its name, with inputs that are sent', () => {
    const [shown = ''] = blocksOf('yaml')
    expect(shown).toMatch(/^run-name: .*\$\{\{ inputs\.test_run_id \}\}/m)
    expect(shown).toContain('id-token: write')
    const declared = [...shown.matchAll(/^ {6}(\w+): \{ required: false, type: string \}$/gm)]
    expect(declared.length).toBeGreaterThan(0)
    const sent = ['deployment_id', 'test_run_id', 'environment', 'environment_url', 'sha']
    expect(sent).toEqual(expect.arrayContaining(declared.map(([, name]) => name)))
  })
})
