import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  environmentId,
  schemaId,
  serverKey,
  startSnapshotServer,
  type SnapshotServer,
} from '../packages/config/src/testing/snapshot-server.ts'
import { createFromTemplate, listBlocks, type TemplateProject } from './template-project.ts'

/** Names the programs as npm has them for Linux on x64: the packages that choose one need a script to do so. */
const programs = {
  bun: '@oven/bun-linux-x64',
  deno: '@deno/linux-x64-glibc',
  workerd: '@cloudflare/workerd-linux-64',
}
const versions = ['wrangler@4.86.0', `${programs.bun}@1.4.5`, `${programs.deno}@2.9.6`]
const isTheirs = process.platform === 'linux' && process.arch === 'x64'

/** Answers as the Worker of the guide, and at `/secret` with a secret of a definition. */
const worker = `import { boolean, defineConfig, string } from '@signalbox/config'
import { createConfigClient } from '@signalbox/config/client'
import { Secrets } from '@signalbox/config/server'
import guide from './guide-worker.ts'

const config = defineConfig({
  secret: { stripeKey: string() },
  featureFlags: { newCheckout: boolean() },
})

export default {
  async fetch(request: Request, env: Parameters<typeof guide.fetch>[1]) {
    if (new URL(request.url).pathname !== '/secret') return guide.fetch(request, env)
    const client = createConfigClient<typeof config>({
      serverUrl: env.SIGNALBOX_CONFIG_URL,
      token: env.SIGNALBOX_TOKEN,
      schemaId: env.SIGNALBOX_SCHEMA_ID,
      environmentId: env.SIGNALBOX_ENVIRONMENT_ID,
      refresh: false,
    })
    const secrets = new Secrets<typeof config>({ stripeKey: await client.get('stripeKey') })
    return new Response(secrets.get('stripeKey'))
  },
}
`

/** Prints what the function of the guide answers, then a secret, then each change; ends when its input does. */
const program = `import { defineConfig, string } from '@signalbox/config'
import { createConfigClient } from '@signalbox/config/client'
import { handler } from './guide-handler.ts'

const config = defineConfig({ secret: { stripeKey: string() } })
const client = createConfigClient<typeof config>({
  serverUrl: process.env.SIGNALBOX_CONFIG_URL ?? '',
  token: process.env.SIGNALBOX_TOKEN ?? '',
  schemaId: process.env.SIGNALBOX_SCHEMA_ID ?? '',
  environmentId: process.env.SIGNALBOX_ENVIRONMENT_ID ?? '',
  persist: process.env.KEPT_IN,
  onError: () => {},
})
console.log((await handler()).statusCode)
console.log(await client.get('stripeKey'), client.status.source)
client.subscribe((snapshot) => console.log(snapshot.version))
process.stdin.resume()
process.stdin.on('end', () => process.exit())
`

let app: TemplateProject
let server: SnapshotServer
const running = new Set<ChildProcess>()

beforeAll(async () => {
  if (!isTheirs) return
  server = await startSnapshotServer({ featureFlags: { newCheckout: true } })
  app = await createFromTemplate('mkdir app && cd app && npm init --yes')
  const packed =
    '$(npm pack --silent --prefix ../signalbox -w @signalbox/contract -w @signalbox/config)'
  const { code, output } = await app.run(`npm install ${packed} ${versions.join(' ')}`)
  if (code !== 0) throw new Error(output)
  const [guideWorker, guideHandler] = listBlocks('serverless').map(({ text }) => text)
  await app.write('guide-worker.ts', guideWorker ?? '')
  await app.write('guide-handler.ts', guideHandler ?? '')
  await app.write('worker.ts', worker)
  await app.write('program.ts', program)
}, 240_000)

afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
})

afterAll(async () => {
  await app?.remove()
  await server?.stop()
})

const env = () => ({
  SIGNALBOX_CONFIG_URL: server.url,
  SIGNALBOX_TOKEN: serverKey,
  SIGNALBOX_SCHEMA_ID: schemaId,
  SIGNALBOX_ENVIRONMENT_ID: environmentId,
})

/** Starts a program in the project, and returns a function that waits for the next line that it prints. */
function start(path: string, args: readonly string[], more: object = {}) {
  const child = spawn(join(app.directory, 'node_modules', path), args, {
    cwd: app.directory,
    env: { HOME: app.directory, NO_COLOR: '1', ...env(), ...more },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  running.add(child)
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`${path} ended: ${complaints}`)
    return value
  }
  return { child, nextLine }
}

/** Lists the snapshots that a program has stored completely. */
function listSealed(folder: string): string[] {
  const path = join(app.directory, folder)
  return existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.sealed')) : []
}

const bundle = 'npx wrangler deploy worker.ts --dry-run --name w --compatibility-date 2024-09-23'

describe.runIf(isTheirs)('a Cloudflare Worker with a server key', () => {
  it('is bundled by wrangler without an option, and reads flags and secrets in workerd', async () => {
    const { code, output } = await app.run(`${bundle} --outdir out`)
    expect(output).toContain('--dry-run: exiting now')
    expect(code).toBe(0)
    const bindings = Object.entries(env()).map(([name, text]) => `(name="${name}", text="${text}")`)
    await app.write(
      'worker.capnp',
      `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "out/worker.js")],
      compatibilityDate = "2024-09-23",
      bindings = [${bindings.join(', ')}])),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
`,
    )
    const args = ['serve', 'worker.capnp', '--control-fd=1']
    const { nextLine } = start(`${programs.workerd}/bin/workerd`, args)
    const { port }: { readonly port: number } = JSON.parse(await nextLine())
    const read = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
    expect(await read('/')).toBe('new')
    expect(await read('/secret')).toBe('sk_canary')
    server.publish({ secret: { stripeKey: 'sk_next' } })
    expect(await read('/secret')).toBe('sk_next')
    server.publish({ secret: { stripeKey: 'sk_canary' } })
  })

  it('control: by the conditions of a page it is not even bundled', async () => {
    const { code, output } = await app.run(bundle, { WRANGLER_BUILD_CONDITIONS: 'browser' })
    expect(output).toContain('definition-is-not-for-browsers')
    expect(code).not.toBe(0)
  })
})

describe.runIf(isTheirs).each([
  ['Bun', `${programs.bun}/bin/bun`, ['run', 'program.ts']],
  ['Deno', `${programs.deno}/deno`, ['run', '--allow-all', 'program.ts']],
])('%s', (name, path, args) => {
  // Below the project, which is removed in the end.
  const more = { KEPT_IN: `kept-by-${name}` }

  it('reads flags and secrets, and hears of a change', async () => {
    const { child, nextLine } = start(path, args, more)
    expect(await nextLine()).toBe('200')
    expect(await nextLine()).toBe('sk_canary network')
    server.publish({ public: { pageSize: server.asked() } })
    expect(Number(await nextLine())).toBeGreaterThan(1)
    // Written beside the reads, which don't wait for it.
    await expect.poll(() => listSealed(more.KEPT_IN)).toHaveLength(1)
    const exited = once(child, 'exit')
    child.stdin.end()
    expect(await exited).toEqual([0, null])
  })

  it('starts without the server, with what it kept on the disk', async () => {
    await server.stop()
    try {
      const { nextLine } = start(path, args, more)
      await nextLine()
      expect(await nextLine()).toBe('sk_canary persisted')
    } finally {
      await server.restart()
    }
  })
})
