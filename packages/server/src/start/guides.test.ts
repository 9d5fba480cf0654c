import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { providerAppEndpoints } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { connectAll } from './testing/connect-organization.ts'
import { openConnected, type Connected } from './testing/open-connected.ts'
import { openShop, type Shop } from './testing/play-push.ts'
import { readBlocks, root } from './testing/read-guide.ts'

/** Gives the reader's shell programs that fail where the service refuses, and the id of the target that was created first. */
const preamble = String.raw`
  set -eu
  TARGET=
  curl() {
    local fail=--fail-with-body
    if [ "$1" = -f ]; then fail=--fail; shift; fi
    out=$(command curl -sS $fail "$@") || { echo "$out"; return 22; }
    if [ -z "$TARGET" ]; then TARGET=$(grep -o 'tgt_[a-z0-9]*' <<<"$out" | head -1 || true); fi
    echo "$out"
  }
  # 8 says that there are differences.
  signalbox() {
    "$NODE" --conditions=@signalbox/source "$MAIN" "$@" || [ $? = 8 ]
  }
`
/** Those that say who the reader is, and the one of the operator. */
const isRun = (block: string) => !block.startsWith('ORG=') && !block.includes('/server/')

let service: Connected
let shop: Shop
let directory: string
let variables: Readonly<Record<string, string>>
let vercelProject: ReturnType<Connected['sandbox']['vercel']['addProject']>
/** Maps the prefix of an id in the guide to the id that stands for it. */
let ids: Readonly<Record<string, string>>

/** Lists the permissions that an owner of the account approves in step 3. */
const permissionsOfTargets = { secrets: 'write', actions_variables: 'write', environments: 'write' }

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
  shop = openShop(service.sandbox)
  await connectAll(service)
  shop.push('ABC-1 Keep the currency')
  shop.deploy('staging', ['success'])
  // Environments, deployments and webhooks appear as webhooks are processed, in no promised order.
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
  for (const name of ['production', 'preview-of-ada']) await ensureEnvironment(name)
  ids = { ...ids, sch: await createSchema(ids['env'] ?? '') }
  const { github, vercel } = service.sandbox
  github.activity.addEnvironment(shop.repository, 'production')
  const [installation] = github.state.installations.values()
  Object.assign(installation ?? {}, {
    permissions: { ...installation?.permissions, ...permissionsOfTargets },
  })
  vercelProject = vercel.addProject('shop')
  service.sandbox.slack.addChannel({ name: 'deploys' })
  variables = {
    NODE: process.execPath,
    MAIN: inject('commandLine'),
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    PATH: process.env['PATH'] ?? '',
    HOME: directory,
    SIGNALBOX_URL: service.apiUrl,
    SIGNALBOX_TOKEN: key.secret,
    JSON: 'content-type: application/json',
    ORG: `${service.apiUrl}/organizations/${service.orgId}`,
    AUTH: `authorization: Bearer ${key.secret}`,
    TOKEN: admin,
  }
})
afterAll(async () => {
  await service.close()
  await rm(directory, { recursive: true, force: true })
})

async function ensureEnvironment(name: string): Promise<void> {
  const { items } = await service.ask<Listed>('GET /environments')
  if (!items.some((item) => item.name === name)) await service.ask('POST /environments', { name })
}

/** Creates a schema with a key of each tier, and sets them in an environment. Returns its id. */
async function createSchema(environmentId: string): Promise<string> {
  const schema = {
    stripeKey: { type: 'string', tier: 'secret' },
    apiUrl: { type: 'string', tier: 'public' },
    newCheckout: { type: 'boolean', tier: 'featureFlags' },
  }
  const { id } = await service.ask<{ id: string }>('POST /config-schemas', { name: 'web', schema })
  const values = { stripeKey: 'sk_test_1', apiUrl: 'https://api.example.com', newCheckout: true }
  await service.ask('PUT /config-values', { schemaId: id, environmentId, values })
  return id
}

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
    body: JSON.stringify({ name: 'guide', manages: true }),
  })
  const { secret } = (await created.json()) as { readonly secret: string }
  return secret
}

async function run(block: string): Promise<number> {
  const text = block
    .replaceAll(/\b(env|dep|dlv|run|sch)_…/g, (_, kind: string) => ids[kind] ?? '')
    .replaceAll('tgt_…', '$TARGET')
    .replaceAll('org_…', service.orgId)
    .replaceAll('sbx_pat_…', variables['TOKEN'] ?? '')
    .replaceAll('sbx_m2m_…', variables['SIGNALBOX_TOKEN'] ?? '')
    .replaceAll('"token": "…"', `"token": "${service.sandbox.vercel.token}"`)
    .replaceAll('https://signalbox.example.com', service.apiUrl)
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
  it.each(readBlocks('integrations', 'sh').filter(isRun))(
    'shows commands that are answered:\n%s',
    async (block) => {
      expect(await run(block)).toBe(0)
    },
  )

  it('control: a command that is refused is found', async () => {
    await expect(run('curl "$ORG/pager" -H "$AUTH"')).rejects.toThrow('not_found')
  })

  it('shows an application as the server takes it', () => {
    const [shown = ''] = readBlocks('integrations', 'json')
    expect(providerAppEndpoints.saveProviderApp.body.parse(JSON.parse(shown))).toMatchObject({
      provider: 'github',
    })
  })

  it('shows a workflow whose run is found by its name, with inputs that are sent', () => {
    const [shown = ''] = readBlocks('integrations', 'yaml')
    expect(shown).toMatch(/^run-name: .*\$\{\{ inputs\.test_run_id \}\}/m)
    expect(shown).toContain('id-token: write')
    const declared = [...shown.matchAll(/^ {6}(\w+): \{ required: false, type: string \}$/gm)]
    expect(declared.length).toBeGreaterThan(0)
    const sent = [
      'deployment_id',
      'test_run_id',
      'environment',
      'environment_url',
      'sha',
      'config_version',
    ]
    expect(sent).toEqual(expect.arrayContaining(declared.map(([, name]) => name)))
  })
})

describe('the guide to targets', () => {
  it('shows steps that write to GitHub and Vercel, and remove what was written', async () => {
    const blocks = readBlocks('targets', 'sh')
    const removal = blocks.at(-1) ?? ''
    expect(removal).toContain('names=remove')
    const { vault } = shop.repository.environments.get('production') ?? {}
    await run(blocks.slice(0, -1).join('\n'))
    await expect
      .poll(() => [vault?.variables.get('API_URL')?.value, vault?.secrets.has('STRIPE_KEY')])
      .toEqual(['https://api.example.com', true])
    const { items } = await service.ask<Listed>('GET /targets')
    expect(items.map(({ name }) => name)).toEqual(['shop on GitHub', 'shop on Vercel'])
    await run(
      [...blocks.slice(0, 1).map(onlyVariables), `TARGET=${items[0]?.id}`, removal].join('\n'),
    )
    await expect.poll(() => [vault?.variables.size, vault?.secrets.size]).toEqual([0, 0])
    // A target of Vercel waits for its first run, as every one does.
    expect(vercelProject.variables.size).toBe(0)
  })
})

describe('the guide to the configuration as a file', () => {
  it('shows files and commands that do what it says of them', async () => {
    const [begin = '', apply = '', pipeline = ''] = readBlocks('configuration-file', 'sh')
    const [first = '', second = ''] = readBlocks('configuration-file', 'yaml')
    const asAdmin = 'export SIGNALBOX_TOKEN="$TOKEN"\n'
    await run(`${asAdmin}${begin} | grep 'Nothing to do'`)
    await writeFile(join(directory, 'signalbox.yaml'), first)
    const twice = `${apply} | grep 'Nothing to do'\n${pipeline}`
    await run(`${asAdmin}${twice}\nsignalbox webhooks rotate Grafana --overlap 0 | grep whsec_`)
    await writeFile(join(directory, 'signalbox.yaml'), second)
    expect(await run(`${asAdmin}signalbox apply -f signalbox.yaml --plan`)).toBe(0)
  })
})

describe('the guide to the audit log', () => {
  it('shows commands that download it, and continue', async () => {
    const [, , tool = '', curl = ''] = readBlocks('audit-log', 'sh')
    expect([tool, curl]).toEqual([
      expect.stringContaining('signalbox audit-log export'),
      expect.stringContaining('curl -f'),
    ])
    await run(`${tool}\n${tool}\n${curl}`)
    const linesOf = async (name: string) =>
      (await readFile(join(directory, name), 'utf8')).trimEnd().split('\n')
    const [byTool, byCurl] = [await linesOf('audit.jsonl'), await linesOf('events.jsonl')]
    expect(byTool.length).toBeGreaterThan(10)
    expect(byCurl.slice(0, byTool.length)).toEqual(byTool)
  })
})

describe('the guide to assistants', () => {
  it('shows where the skill file is', async () => {
    const skill = readBlocks('assistants', 'sh').find((block) => block.startsWith('curl')) ?? ''
    await run(skill)
    const saved = await readFile(join(directory, '.claude/skills/signalbox/SKILL.md'), 'utf8')
    expect(saved).toBe(await readFile(join(root, 'docs/skill.md'), 'utf8'))
  })
})

describe('the guide to flags in every language', () => {
  it('shows a command that writes the definition', async () => {
    const pull = readBlocks('flags-in-every-language', 'sh').find((text) => text.includes('pull'))
    await run((pull ?? '').replace(' --watch', '').replace('--env production', '--env staging'))
    const written = await readFile(join(directory, 'flags.flagd.json'), 'utf8')
    expect(JSON.parse(written)).toMatchObject({ flags: { newCheckout: { state: 'ENABLED' } } })
  })
})

/** Returns the lines of a block that set variables. */
function onlyVariables(block: string): string {
  return block
    .split('\n')
    .filter((line) => /^[A-Z]+=/.test(line))
    .join('\n')
}
