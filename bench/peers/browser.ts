// P10b: what a page downloads until it knows one flag, beside the browser clients of other products, in one build with esbuild.
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { openBrowser } from '../../e2e/browser.ts'
import { minified } from '../../packages/config/src/testing/bundle.ts'
import { recordComparison, type Line } from './beside.ts'
import { versionOf } from './product.ts'

/** Nothing listens there: Chromium is answered by this process. */
const server = 'https://peers.test'

interface Page {
  readonly name: string
  readonly sdk: string
  /** Holds the script of the page, as the documentation of the product begins. It leaves the flag in `globalThis.flag`. */
  readonly code: string
  /** Holds what every request is answered with. Absent: this process cannot speak to the client. */
  readonly answer?: unknown
  readonly setup?: string
}

const schemaId = 'sch_01jd2m4x9k0000000000000000'
const environmentId = 'env_01jd2m4x9k0000000000000000'

const pages: readonly Page[] = [
  {
    name: 'Signalbox',
    sdk: '@signalbox/config',
    code: `import { createConfigClient } from '@signalbox/config/client'
      const client = createConfigClient({ serverUrl: '${server}', token: 'sbx_b2m_${'a'.repeat(46)}', schemaId: '${schemaId}', environmentId: '${environmentId}' })
      globalThis.flag = await client.flag('flag')`,
    answer: { version: 1, schemaId, environmentId, public: {}, featureFlags: { flag: true } },
    setup:
      'the page reads the value of a flag. Rules for one user need OFREP with the SDK of OpenFeature. A live stream opens after the answer',
  },
  {
    name: 'LaunchDarkly',
    sdk: '@launchdarkly/js-client-sdk',
    code: `import { createClient } from '@launchdarkly/js-client-sdk'
      const client = createClient('${'0'.repeat(24)}', { kind: 'user', key: 'u' }, { baseUri: '${server}', eventsUri: '${server}', streamUri: '${server}' })
      await client.start()
      globalThis.flag = client.boolVariation('flag', false)`,
    answer: { flag: { version: 1, flagVersion: 1, value: true, variation: 0, trackEvents: false } },
  },
  {
    name: 'Unleash',
    sdk: 'unleash-proxy-client',
    code: `import { UnleashClient } from 'unleash-proxy-client'
      const client = new UnleashClient({ url: '${server}/api/frontend', clientKey: 'k', appName: 'bench' })
      await client.start()
      globalThis.flag = client.isEnabled('flag')`,
    answer: {
      toggles: [
        {
          name: 'flag',
          enabled: true,
          variant: { name: 'disabled', enabled: false },
          impressionData: false,
        },
      ],
    },
  },
  {
    name: 'GrowthBook',
    sdk: '@growthbook/growthbook',
    code: `import { GrowthBook } from '@growthbook/growthbook'
      const client = new GrowthBook({ apiHost: '${server}', clientKey: 'k', attributes: { id: 'u' } })
      await client.init()
      globalThis.flag = client.isOn('flag')`,
    answer: { status: 200, features: { flag: { defaultValue: true } } },
    setup: 'the page gets the rules and decides itself',
  },
  {
    name: 'Flagsmith',
    sdk: '@flagsmith/flagsmith',
    code: `import flagsmith from '@flagsmith/flagsmith'
      await flagsmith.init({ environmentID: 'k', api: '${server}/api/v1/' })
      globalThis.flag = flagsmith.hasFeature('flag')`,
    answer: [
      {
        feature: { id: 1, name: 'flag', type: 'STANDARD' },
        enabled: true,
        feature_state_value: null,
      },
    ],
  },
  {
    name: 'ConfigCat',
    sdk: '@configcat/sdk',
    code: `import { getClient, PollingMode } from '@configcat/sdk'
      const client = getClient('${'a'.repeat(22)}/${'b'.repeat(22)}', PollingMode.AutoPoll, { baseUrl: '${server}' })
      globalThis.flag = await client.getValueAsync('flag', false)`,
    answer: { p: { u: server, r: 0, s: 's' }, f: { flag: { t: 0, v: { b: true }, i: 'on' } } },
    setup: 'the page gets the rules and decides itself',
  },
  {
    name: 'Flipt',
    sdk: '@flipt-io/flipt-client-js',
    code: `import { FliptClient } from '@flipt-io/flipt-client-js'
      const client = await FliptClient.init({ url: '${server}', updateInterval: 0 })
      globalThis.flag = client.evaluateBoolean({ flagKey: 'flag', entityId: 'u', context: {} }).enabled`,
    answer: {
      namespace: { key: 'default' },
      flags: [
        {
          key: 'flag',
          name: 'flag',
          description: '',
          enabled: true,
          type: 'BOOLEAN_FLAG_TYPE',
          rules: [],
          rollouts: [],
        },
      ],
    },
    setup: 'the page gets the rules and decides itself, by WebAssembly inside the script',
  },
  {
    name: 'flagd',
    sdk: '@openfeature/flagd-web-provider',
    code: `import { OpenFeature } from '@openfeature/web-sdk'
      import { FlagdWebProvider } from '@openfeature/flagd-web-provider'
      await OpenFeature.setProviderAndWait(new FlagdWebProvider({ host: 'peers.test', port: 80, tls: false }))
      globalThis.flag = OpenFeature.getClient().getBooleanValue('flag', false)`,
    setup: 'with the SDK of OpenFeature; its requests are gRPC, and were not counted',
  },
]

async function bundle(code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname },
    conditions: ['@signalbox/source', 'browser', 'production'],
    define: { 'process.env.NODE_ENV': '"production"' },
    ...minified,
  })
  return outputFiles[0]?.text ?? ''
}

const browser = await openBrowser()

/** Returns the addresses that a page asks for until it knows the flag. */
async function listRequests(script: string, answer: unknown): Promise<readonly string[]> {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  try {
    const page = await context.newPage()
    const asked: string[] = []
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    await page.route('**/*', (route) => {
      const url = route.request().url()
      if (url === `${server}/`)
        return route.fulfill({
          contentType: 'text/html',
          body: '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>',
        })
      if (url === `${server}/page.js`)
        return route.fulfill({ contentType: 'text/javascript', body: script })
      // A stream begins with the answer, and the flag does not wait for it.
      if (route.request().resourceType() === 'eventsource') return undefined
      asked.push(`${route.request().method()} ${url}`)
      // Where LaunchDarkly counts clicks: there are none.
      return route.fulfill({ headers, json: url.includes('/goals/') ? [] : answer })
    })
    await page.goto(`${server}/`)
    await page.waitForFunction('globalThis.flag !== undefined', undefined, { timeout: 15_000 })
    const flag: unknown = await page.evaluate('globalThis.flag')
    if (flag !== true) throw new Error(`The flag is ${String(flag)} after ${asked.join(', ')}`)
    return [...asked]
  } finally {
    await context.close()
  }
}

const lines: Line[] = []
const requests: Record<string, readonly string[]> = {}
try {
  for (const { name, sdk, code, answer, setup } of pages) {
    const script = await bundle(code)
    if (answer !== undefined) requests[name] = await listRequests(script, answer)
    lines.push({
      name,
      version: `${sdk} ${versionOf(sdk)}`,
      setup: setup ?? 'the rules are decided on the server, for the user of the page',
      values: [gzipSync(script, { level: 9 }).length, requests[name]?.length ?? null],
    })
  }
} finally {
  await browser.close()
}

recordComparison(
  'P10b',
  'what a page downloads until it knows one flag',
  {
    columns: [
      { title: 'script, minified and compressed, bytes', better: 'less' },
      { title: 'requests', better: 'less' },
    ],
    lines,
  },
  { requests },
)
