import { describe, expect, it } from 'vitest'
import { createClientAddress } from '../../http/admission/client-address.ts'
import { countDescriptors } from '../../http/limit-connections.ts'
import { readSettings } from '../../settings.ts'
import { countStreams, shareConnections } from './share-connections.ts'

const clientAddress = createClientAddress([])

/** Says how many percent of the descriptors each listener may have for connections. */
function percentsOf(variables: Readonly<Record<string, string>>) {
  const settings = readSettings(variables)
  const percentOf = (listener: 'api' | 'delivery') => {
    const { inAll } = shareConnections({ settings, clientAddress }, listener)
    return Math.round((inAll * 100) / countDescriptors())
  }
  return [percentOf('api'), percentOf('delivery')]
}

describe('the connections of a process', () => {
  it('are divided between its listeners, and a tenth of the descriptors is left', () => {
    expect(percentsOf({})).toEqual([30, 60])
    expect(percentsOf({ SIGNALBOX_CAPACITY: 'connectionShare=50' })).toEqual([50, 40])
  })

  it.each([
    [1_024, [307, 614]],
    [640, [192, 384]],
    [160, [32, 64]],
    [96, [10, 21]],
    [64, [1, 1]],
  ])(
    'leave the database and the disk what they need, with %i descriptors',
    (descriptors, limits) => {
      const kit = { settings: readSettings({}), clientAddress }
      const limitOf = (listener: 'api' | 'delivery') =>
        shareConnections(kit, listener, descriptors).inAll
      expect([limitOf('api'), limitOf('delivery')]).toEqual(limits)
    },
  )

  it('are all those of a listener that is alone', () => {
    expect(percentsOf({ SIGNALBOX_ROLES: 'delivery' })[1]).toBe(90)
    expect(percentsOf({ SIGNALBOX_ROLES: 'api,worker' })[0]).toBe(90)
  })

  it('leave reads some that streams do not get', () => {
    const settings = readSettings({ SIGNALBOX_CAPACITY: 'streams=99999999' })
    const { inAll } = shareConnections({ settings, clientAddress }, 'delivery')
    expect(countStreams({ settings, clientAddress })).toBe(Math.floor(inAll * 0.9))
    const few = readSettings({ SIGNALBOX_CAPACITY: 'streams=5' })
    expect(countStreams({ settings: few, clientAddress })).toBe(5)
  })
})
