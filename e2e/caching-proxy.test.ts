import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi, type TestContext } from 'vitest'
import { createConfigClient, type ConfigClient } from '@signalbox/config/client'
import { verify } from '@signalbox/config/verify'
import {
  openTestDelivery,
  snapshotPath,
  testSnapshot,
  type TestDelivery,
} from '../packages/server/src/delivery/testing/test-delivery.ts'
import { findTool } from '../scripts/tools/find-tool.ts'
import { findFreePort } from '../test/testing/network/ports.ts'

let directory: string
let nginx: ChildProcess | undefined
let missing: string | undefined
let port: number
let test: TestDelivery
let token: string
const clients: ConfigClient[] = []

/** Caches what the headers allow below `/`, the newest snapshot for an hour below `/stale`, and changes a value below `/lying`. */
const renderConfiguration = (upstream: number) => `
daemon off;
master_process off;
error_log stderr;
pid ${directory}/nginx.pid;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => `${each}_temp_path ${directory}/${each};`).join(' ')}
  proxy_cache_path ${directory}/cache keys_zone=snapshots:1m;
  proxy_http_version 1.1;
  server {
    listen 127.0.0.1:${port};
    add_header X-Cache $upstream_cache_status always;
    location / {
      proxy_pass http://127.0.0.1:${upstream}/;
      proxy_cache snapshots;
    }
    location /stale/ {
      proxy_pass http://127.0.0.1:${upstream}/;
      proxy_cache snapshots;
      proxy_cache_key stale$request_uri;
      proxy_ignore_headers Cache-Control Vary;
      proxy_cache_valid 200 1h;
    }
    location /lying/ {
      proxy_pass http://127.0.0.1:${upstream}/;
      proxy_set_header Accept-Encoding "";
      sub_filter_types application/json;
      sub_filter '"beta":true' '"beta":null';
    }
  }
}
`

beforeAll(async () => {
  test = await openTestDelivery()
  token = test.addKey('b2m').token
  await test.publish({ public: { theme: 'one' }, featureFlags: { beta: true } })
  const tool = await findTool('nginx')
  if ('reason' in tool) {
    missing = tool.reason
    return
  }
  directory = await mkdtemp(join(tmpdir(), 'signalbox-nginx-'))
  await mkdir(join(directory, 'logs'))
  port = await findFreePort()
  await writeFile(join(directory, 'nginx.conf'), renderConfiguration(test.port))
  nginx = spawn(tool.path, ['-p', directory, '-e', 'stderr', '-c', join(directory, 'nginx.conf')], {
    stdio: 'ignore',
  })
  await vi.waitUntil(async () => (await ask('/.well-known/signalbox-keys')).status === 200, {
    timeout: 20_000,
  })
})

afterAll(async () => {
  for (const client of clients) client.close()
  if (nginx?.exitCode === null) {
    nginx.kill('SIGKILL')
    await once(nginx, 'exit')
  }
  await test?.close()
  if (directory) await rm(directory, { recursive: true, force: true })
})

async function ask(path: string) {
  try {
    const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`)
    return { status, cached: headers.get('x-cache') }
  } catch {
    return { status: 0, cached: null }
  }
}

const needsNginx = ({ skip }: TestContext) => skip(missing !== undefined, missing)

function open(path: string, options: { readonly verifies?: boolean } = {}): ConfigClient {
  const { verifies = true } = options
  const client = createConfigClient({
    serverUrl: `http://127.0.0.1:${port}${path}`,
    token,
    schemaId: testSnapshot.schemaId,
    environmentId: testSnapshot.environmentId,
    refresh: false,
    onError: () => {},
    ...(verifies && { fetch: verify({ keys: [test.publisher.publisherKey.publicKey] }) }),
  })
  clients.push(client)
  return client
}

describe('behind nginx as a cache', () => {
  it('an address of one version is answered by the cache, and verifies', async (context) => {
    needsNginx(context)
    const version = `${snapshotPath}/1?apiKey=${token}`
    expect(await ask(version)).toEqual({ status: 200, cached: 'MISS' })
    expect(await ask(version)).toEqual({ status: 200, cached: 'HIT' })
    const request = verify({ keys: [test.publisher.publisherKey.publicKey] })
    const answer = await request(`http://127.0.0.1:${port}${version}`, {})
    expect(answer.headers.get('x-cache')).toBe('HIT')
    expect(await answer.json()).toMatchObject({ version: 1, public: { theme: 'one' } })
  })

  it('the current snapshot is never an old one', async (context) => {
    needsNginx(context)
    const client = open('')
    expect(await client.get('theme')).toBe('one')
    await test.publish({ public: { theme: 'two' }, featureFlags: { beta: true } })
    await client.refresh()
    expect(client.snapshot().get('theme')).toBe('two')
  })

  it('a value that nginx changes is not believed', async (context) => {
    needsNginx(context)
    const client = open('/lying')
    await client.ready()
    expect(client.status).toMatchObject({ version: 0, error: { code: 'untrusted' } })
    const credulous = open('/lying', { verifies: false })
    // Control: nginx has changed it.
    expect(await credulous.flag('beta')).toBe(false)
    expect(credulous.status.error).toBeUndefined()
  })

  it('an answer that nginx kept too long is not believed by a client that knows a newer one', async (context) => {
    needsNginx(context)
    const stale = `http://127.0.0.1:${port}/stale${snapshotPath}?apiKey=${token}`
    const fresh = `http://127.0.0.1:${port}${snapshotPath}?apiKey=${token}`
    const request = verify({ keys: [test.publisher.publisherKey.publicKey] })
    await request(stale, {})
    await test.publish({ public: { theme: 'three' }, featureFlags: { beta: true } })
    await request(fresh, {})
    await expect(request(stale, {})).rejects.toMatchObject({ code: 'untrusted' })
    // Control: without verification it is what a client gets.
    expect(await (await fetch(stale)).text()).not.toContain('three')
  })
})
