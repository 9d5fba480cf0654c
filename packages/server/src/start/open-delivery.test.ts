import { connect } from 'node:http2'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestDelivery, type TestDelivery } from '../delivery/testing/test-delivery.ts'
import { createClientAddress } from '../http/admission/client-address.ts'
import { countDescriptors } from '../http/limit-connections.ts'
import type { ProcessKit } from '../kit.ts'
import { readSettings } from '../settings.ts'
import { silentLog } from '../telemetry/log.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { listenForDelivery } from './open-delivery.ts'
import { shareConnections } from './listeners/share-connections.ts'

let test: TestDelivery

beforeEach(async () => {
  test = await openTestDelivery()
})
afterEach(() => test.close())

const kitOf = (variables: Readonly<Record<string, string>>): ProcessKit => {
  const kit: Partial<ProcessKit> = {
    settings: readSettings({ SIGNALBOX_DELIVERY_PORT: '0', ...variables }),
    metrics: createMetrics({ version: '0' }),
    clientAddress: createClientAddress([]),
    log: silentLog,
    now: () => new Date(),
  }
  return kit as ProcessKit
}

/** Calls the sync service without a key, and returns its status. */
function callSync(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const session = connect(`http://127.0.0.1:${port}`)
    session.on('error', reject)
    const call = session.request({
      ':method': 'POST',
      ':path': '/flagd.sync.v1.FlagSyncService/FetchAllFlags',
      'content-type': 'application/grpc',
    })
    call.on('response', (headers) => {
      session.close()
      resolve(String(headers['grpc-status']))
    })
    call.on('error', reject)
    call.end(Buffer.alloc(5))
  })
}

describe('the address of the sync service for flagd', () => {
  it('is open where the settings name a port, until the delivery closes', async () => {
    const { listener, flagdPort = 0 } = await listenForDelivery(
      kitOf({ SIGNALBOX_FLAGD_PORT: '0' }),
      test.delivery,
    )
    expect(await callSync(flagdPort)).toBe('16')
    await listener.close()
    await expect(callSync(flagdPort)).rejects.toThrow('ECONNREFUSED')
  })

  it('is closed by default', async () => {
    const { listener, flagdPort } = await listenForDelivery(kitOf({}), test.delivery)
    expect(flagdPort).toBeUndefined()
    await listener.close()
  })

  it('closes the delivery where it cannot be listened on', async () => {
    const taken = await listenForDelivery(kitOf({ SIGNALBOX_FLAGD_PORT: '0' }), test.delivery)
    const variables = { SIGNALBOX_FLAGD_PORT: String(taken.flagdPort) }
    await expect(listenForDelivery(kitOf(variables), test.delivery)).rejects.toThrow('EADDRINUSE')
    await taken.listener.close()
  })

  it('has a tenth of the connections of the delivery', () => {
    const kit = kitOf({ SIGNALBOX_FLAGD_PORT: '0', SIGNALBOX_ROLES: 'delivery' })
    const percents = (['delivery', 'flagd'] as const).map((listener) =>
      Math.round((shareConnections(kit, listener).inAll * 100) / countDescriptors()),
    )
    expect(percents).toEqual([81, 9])
  })
})
