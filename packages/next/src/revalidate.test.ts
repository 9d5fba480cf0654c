import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  browserKey,
  environment,
  orgId,
  startSnapshotServer,
  type SnapshotServer,
} from '../../config/src/testing/snapshot-server.ts'
import { notifyOfChange } from './notify.ts'
import { createRevalidateHandler } from './revalidate.ts'
import { watchConfig } from './watch.ts'

// The effect of a tag is proven with Next.js, in e2e/next-app.test.ts: outside of a request it refuses.
const revalidateTag = vi.hoisted(() => vi.fn<(tag: string, profile: unknown) => void>())
vi.mock('next/cache.js', () => ({ revalidateTag }))

const secret = `whsec_${btoa('a'.repeat(32))}`
const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  revalidateTag.mockReset()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

/** An application with the route, over a real socket. */
async function startApp(
  options = {},
): Promise<{ url: string; statuses: number[]; server: Server }> {
  const handle = createRevalidateHandler({ secret, ...options })
  const statuses: number[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = new Headers(request.headers as Record<string, string>)
    const body = Buffer.concat(chunks)
    const answer = await handle(new Request('http://app/', { method: 'POST', headers, body }))
    statuses.push(answer.status)
    response.writeHead(answer.status).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, statuses, server }
}

const message = { secret, orgId, environment }

describe('the route that is told of changes', () => {
  it('marks what was read of the environment, to be rendered anew behind the next visit', async () => {
    const app = await startApp()
    await notifyOfChange({ ...message, url: app.url })
    expect(revalidateTag.mock.calls).toEqual([['config:acme:production', 'max']])
  })

  it('can have the next visit wait instead', async () => {
    const app = await startApp({ profile: { expire: 0 } })
    await notifyOfChange({ ...message, url: app.url })
    expect(revalidateTag.mock.calls).toEqual([['config:acme:production', { expire: 0 }]])
  })

  it('refuses a message that is signed with another secret', async () => {
    const app = await startApp()
    const other = `whsec_${btoa('b'.repeat(32))}`
    await expect(notifyOfChange({ ...message, url: app.url, secret: other })).rejects.toThrow(
      /answered 401$/,
    )
    expect(revalidateTag).not.toHaveBeenCalled()
  })

  it('refuses a message without a signature, and a long one before it verifies it', async () => {
    const app = await startApp()
    const post = async (body: string) => (await fetch(app.url, { method: 'POST', body })).status
    expect(await post('{}')).toBe(401)
    expect(await post('x'.repeat(5_000))).toBe(413)
    expect(revalidateTag).not.toHaveBeenCalled()
  })

  it('refuses a genuine message about something else', async () => {
    const app = await startApp()
    vi.spyOn(JSON, 'stringify').mockReturnValueOnce('{"type":"config.deleted","data":{}}')
    await expect(notifyOfChange({ ...message, url: app.url })).rejects.toThrow(/answered 422$/)
    expect(revalidateTag).not.toHaveBeenCalled()
  })

  it('takes nothing while it has no secret', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const app = await startApp({ secret: '' })
    await expect(notifyOfChange({ ...message, url: app.url })).rejects.toThrow(/answered 500$/)
    expect(log.mock.calls.join()).toContain('whsec_')
  })
})

describe('a process that watches', () => {
  let signalbox: SnapshotServer
  beforeEach(async () => {
    signalbox = await startSnapshotServer()
    stops.push(() => signalbox.stop())
  })

  const watch = (url: string, onError?: (error: unknown) => void) => {
    const stop = watchConfig({
      ...message,
      baseUrl: signalbox.url,
      apiKey: browserKey,
      url,
      onError,
    })
    stops.unshift(stop)
    return stop
  }
  const told = () => revalidateTag.mock.calls.length

  it('tells once when it starts, and then of each change', async () => {
    const app = await startApp()
    watch(app.url)
    await expect.poll(told).toBe(1)
    await expect.poll(() => signalbox.openStreams()).toBe(1)
    signalbox.publish({ featureFlags: { newCheckout: true } })
    await expect.poll(told).toBe(2)
    signalbox.publish({ featureFlags: { newCheckout: false } })
    await expect.poll(told).toBe(3)
  })

  it('tries again when the application does not listen yet', async () => {
    const app = await startApp()
    const { port } = app.server.address() as AddressInfo
    await new Promise((resolve) => app.server.close(resolve))
    const errors: unknown[] = []
    watch(app.url, (error) => errors.push(error))
    await expect.poll(() => errors.length).toBeGreaterThan(0)
    app.server.listen(port, '127.0.0.1')
    // It waits a second, and two the next time.
    await expect.poll(told, { timeout: 10_000 }).toBe(1)
  })

  it('finds a server that was not there when it started', async () => {
    const app = await startApp()
    await signalbox.stop()
    const errors: unknown[] = []
    watch(app.url, (error) => errors.push(error))
    await expect.poll(() => errors.length).toBeGreaterThan(0)
    await signalbox.restart()
    await expect.poll(told, { timeout: 10_000 }).toBe(1)
  })

  it('tells nothing any more once it was stopped', async () => {
    const app = await startApp()
    const stop = watch(app.url)
    await expect.poll(() => signalbox.openStreams()).toBe(1)
    stop()
    await expect.poll(() => signalbox.openStreams()).toBe(0)
  })

  it('says what is missing without taking the application with it', () => {
    const errors: unknown[] = []
    const onError = (error: unknown) => errors.push(error)
    watchConfig({ ...message, baseUrl: '', apiKey: browserKey, url: '', onError })()
    watchConfig({ ...message, baseUrl: 'x', apiKey: 'sbx_m2m_x', url: '', onError })()
    expect(errors.map(String)).toEqual([
      expect.stringContaining('SIGNALBOX_CONFIG_URL is not set'),
      expect.stringContaining('needs a browser key'),
    ])
  })

  it('does nothing while pages are built', async () => {
    vi.stubEnv('NEXT_PHASE', 'phase-production-build')
    watch('http://127.0.0.1:9/')
    expect(signalbox.requests).toEqual([])
  })
})
