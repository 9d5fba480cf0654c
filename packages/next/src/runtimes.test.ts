import { createRequire } from 'node:module'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import {
  environmentId,
  schemaId,
  serverKey,
  startSnapshotServer,
} from '../../config/src/testing/snapshot-server.ts'

/** Lists the conditions that each runtime, or the bundler for it, takes the entries of a package by. */
const runtimes = {
  'Cloudflare Workers, by wrangler': ['workerd', 'worker', 'browser', 'import'],
  'Cloudflare Workers, by Vite': ['workerd', 'worker', 'module', 'browser', 'import'],
  'the Edge Runtime, by Next.js': ['edge-light', 'worker', 'browser', 'import'],
  'Vercel functions at the edge': ['edge-light', 'import'],
  'other workers': ['worker', 'browser', 'import'],
  'React Native': ['react-native', 'import'],
  Deno: ['deno', 'node', 'import'],
  'Deno, bundled': ['deno', 'worker', 'browser', 'import'],
  Bun: ['bun', 'node', 'import'],
  'Bun, bundled': ['bun', 'worker', 'browser', 'import'],
  Node: ['node', 'import'],
  'a page': ['browser', 'import'],
} as const
type Runtime = keyof typeof runtimes

async function bundle(code: string, runtime: Runtime, options: object = {}) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname },
    platform: 'neutral',
    conditions: ['@signalbox/source', ...runtimes[runtime]],
    external: ['node:*', 'react', 'next'],
    bundle: true,
    // Leaves out comments, and the names of variables.
    minify: true,
    format: 'esm',
    target: 'esnext',
    write: false,
    metafile: true,
    logLevel: 'silent',
    ...options,
  })
  return { code: outputFiles[0]?.text ?? '', files: Object.keys(metafile.inputs) }
}

const client = "export { createConfigClient } from '@signalbox/config/client'"
const server = "export { Secrets } from '@signalbox/config/server'"
const definition = "export { string, defineConfig } from '@signalbox/config'"
const next = "export { getConfig, getServerConfig } from '@signalbox/next/server'"

/** Matches what only Node or a page has. */
const foreign =
  /["']node:|\brequire\(|\bprocess\.(?!env\b)|\bBuffer\b|\blocalStorage\.|\bdocument\./

describe('a server key is read by the build for', () => {
  it.each<[Runtime, string]>([
    ['Cloudflare Workers, by wrangler', 'client/portable.ts'],
    ['Cloudflare Workers, by Vite', 'client/portable.ts'],
    ['the Edge Runtime, by Next.js', 'client/portable.ts'],
    ['Vercel functions at the edge', 'client/portable.ts'],
    ['other workers', 'client/portable.ts'],
    ['React Native', 'client/portable.ts'],
    ['Deno', 'client/node.ts'],
    ['Deno, bundled', 'client/node.ts'],
    ['Bun', 'client/node.ts'],
    ['Bun, bundled', 'client/node.ts'],
    ['Node', 'client/node.ts'],
    ['a page', 'client/browser.ts'],
  ])('%s: %s', async (runtime, file) => {
    const { files } = await bundle(client, runtime)
    expect(files.filter((path) => /client\/(portable|node|browser)\.ts$/.test(path))).toEqual([
      expect.stringContaining(`packages/config/src/${file}`),
    ])
  })
})

describe.each(Object.keys(runtimes).filter((name): name is Runtime => name !== 'a page'))(
  'for %s',
  (runtime) => {
    it('the definition, secrets and the server of Next.js are there', async () => {
      await expect(bundle(`${definition}\n${server}\n${next}`, runtime)).resolves.toBeDefined()
    })
  },
)

describe.each<Runtime>([
  'Cloudflare Workers, by wrangler',
  'the Edge Runtime, by Next.js',
  'other workers',
])('the build for %s', (runtime) => {
  it('uses nothing that only Node or a page has', async () => {
    const { code } = await bundle([client, server, definition, next].join('\n'), runtime)
    expect(code).not.toMatch(foreign)
  })
})

it('control: the build for Node uses what only Node has', async () => {
  expect((await bundle(client, 'Node')).code).toMatch(foreign)
})

describe('in the Edge Runtime, which has no AbortSignal.any', () => {
  const require = createRequire(import.meta.url)
  const { EdgeRuntime }: EdgeRuntimeModule = require('next/dist/compiled/edge-runtime')

  it('a client with a server key reads secrets and hears of changes', async () => {
    const upstream = await startSnapshotServer()
    const { code } = await bundle(client, 'the Edge Runtime, by Next.js', {
      format: 'iife',
      globalName: 'signalbox',
    })
    const options = { serverUrl: upstream.url, token: serverKey, schemaId, environmentId }
    const runtime = new EdgeRuntime()
    const run = (expression: string) => runtime.evaluate(expression)
    run(`${code}; var client = signalbox.createConfigClient(${JSON.stringify(options)})`)
    expect(run('typeof AbortSignal.any')).toBe('undefined')
    expect(await run("client.get('stripeKey')")).toBe('sk_canary')
    await expect.poll(() => upstream.openStreams()).toBe(1)
    upstream.publish({ public: { pageSize: 1 } })
    await expect.poll(() => run("client.snapshot().get('pageSize')")).toBe(1)
    run('client.close()')
    await expect.poll(() => upstream.openStreams()).toBe(0)
    await upstream.stop()
  })
})

/** Describes the program that Next.js runs middleware in. It comes without types. */
interface EdgeRuntimeModule {
  readonly EdgeRuntime: new () => { evaluate(code: string): unknown }
}
