import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../../settings.ts'
import { createMetrics } from '../../telemetry/metrics.ts'
import { listenForOperators } from './listen-for-operators.ts'
import { openNodes, type Nodes } from '../testing/open-nodes.ts'

let nodes: Nodes

beforeAll(async () => {
  nodes = await openNodes()
})
afterAll(() => nodes.close())

const worker = { SIGNALBOX_PUBLIC_URL: 'https://signalbox.example.com' }
const settings = { ...worker, SIGNALBOX_METRICS_PORT: '0' }

async function read(url = '', path = '', method = 'GET') {
  const answer = await fetch(`${url}${path}`, { method })
  return { status: answer.status, text: await answer.text() }
}

describe('the address for operators', () => {
  it.each(['worker', 'delivery', 'api,worker,delivery'])(
    'has health, readiness and metrics of a process with the roles %s, until that is closed',
    async (roles) => {
      const node = await nodes.start(roles, { settings })
      const { metricsUrl } = node
      expect(await read(metricsUrl, '/healthz')).toEqual({ status: 200, text: '{"ok":true}' })
      expect(await read(metricsUrl, '/readyz')).toEqual({ status: 200, text: '{"ready":true}' })
      const metrics = await read(metricsUrl, '/metrics')
      expect(metrics.text).toMatch(/^signalbox_info\{version=".+"\} 1$/m)
      // -1 until the first read has ended.
      expect(/^signalbox_snapshots_age_seconds -?\d/m.test(metrics.text)).toBe(
        roles.includes('delivery'),
      )
      expect(await read(metricsUrl, '/organizations')).toMatchObject({ status: 404 })
      expect(await read(metricsUrl, '/metrics', 'POST')).toMatchObject({ status: 405 })
      await node.close()
      await expect(read(metricsUrl, '/healthz')).rejects.toThrow('fetch failed')
    },
  )

  it('is not there without a port', async () => {
    expect(await nodes.start('worker', { settings: worker })).not.toHaveProperty('metricsUrl')
  })

  it('says that the process is not ready before its start is complete, and once it must stop', async () => {
    const stop = new AbortController()
    const operators = await listenForOperators({
      settings: readSettings(settings),
      metrics: createMetrics({ version: '0' }),
      now: () => new Date(),
      stop: stop.signal,
    })
    const readiness = async () => (await read(operators?.url, '/readyz')).status
    expect(await readiness()).toBe(503)
    operators?.ready()
    expect(await readiness()).toBe(200)
    stop.abort()
    expect(await readiness()).toBe(503)
    await operators?.close()
  })
})
