import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createClientAddress } from './admission/client-address.ts'
import type { HeldCounts } from './admission/node-counts.ts'
import { collectServerSockets } from './testing/collect-server-sockets.ts'
import { countDescriptors, limitConnections } from './limit-connections.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function open(limits: {
  perAddress: number
  inAll: number
  proxies?: string[]
  held?: HeldCounts
}) {
  const refused: string[] = []
  const server = createServer((_request, response) => void response.end('ok'))
  const clientAddress = createClientAddress(limits.proxies ?? [])
  const metrics = { recordRefusedConnection: (reason: string) => refused.push(reason) }
  const accepted = collectServerSockets()
  const { exempt } = limitConnections(server, { ...limits, clientAddress }, metrics)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  /** Opens a connection from an address, and tells whether the server lets go of it. */
  const begin = async (localAddress: string) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    closing.push(() => socket.destroy())
    const state = { isCut: false, socket }
    socket.on('error', () => {}).on('close', () => (state.isCut = true))
    await once(socket, 'connect')
    return state
  }
  const isAnswered = async ({ socket }: { socket: Socket }) => {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    const [chunk] = await Promise.race([once(socket, 'data'), once(socket, 'close')])
    return Buffer.isBuffer(chunk)
  }
  return { begin, isAnswered, refused, accepted, exempt }
}

describe('connections', () => {
  it('beyond the limit of an address are let go, and those of others are answered', async () => {
    const { begin, isAnswered, refused } = await open({ perAddress: 2, inAll: 10 })
    const [first, , third] = [
      await begin('127.0.0.2'),
      await begin('127.0.0.2'),
      await begin('127.0.0.2'),
    ]
    await expect.poll(() => third?.isCut).toBe(true)
    expect(refused).toEqual(['too_many_connections'])
    expect(await isAnswered(await begin('127.0.0.3'))).toBe(true)
    expect(await isAnswered(first)).toBe(true)
    first.socket.destroy()
    await expect.poll(async () => isAnswered(await begin('127.0.0.2'))).toBe(true)
  })

  it('count with those that other processes of the node hold for the address', async () => {
    const notes: [string, number][] = []
    const held: HeldCounts = {
      note: (subject, by) => void notes.push([subject, by]),
      ofOthers: (subject) => (subject === '127.0.0.2' ? 2 : 0),
      listOthers: () => [],
      sumOfOthers: () => 2,
    }
    const { begin, isAnswered } = await open({ perAddress: 2, inAll: 10, held })
    const refused = await begin('127.0.0.2')
    await expect.poll(() => refused.isCut).toBe(true)
    const served = await begin('127.0.0.3')
    expect(await isAnswered(served)).toBe(true)
    served.socket.destroy()
    await expect
      .poll(() => notes)
      .toEqual([
        ['127.0.0.3', 1],
        ['127.0.0.3', -1],
      ])
  })

  it('of a proxy that is trusted count for nobody', async () => {
    const limits = { perAddress: 1, inAll: 10, proxies: ['127.0.0.2'] }
    const { begin, isAnswered } = await open(limits)
    await begin('127.0.0.2')
    expect(await isAnswered(await begin('127.0.0.2'))).toBe(true)
  })

  it('of a proxy make room for nobody, and get it from who has most', async () => {
    const { begin, isAnswered } = await open({ perAddress: 10, inAll: 4, proxies: ['127.0.0.2'] })
    const ofProxy = [await begin('127.0.0.2'), await begin('127.0.0.2')]
    const many = [await begin('127.0.0.3'), await begin('127.0.0.3')]
    expect(await isAnswered(await begin('127.0.0.2'))).toBe(true)
    await expect.poll(() => many.map(({ isCut }) => isCut)).toEqual([false, true])
    expect(await isAnswered(await begin('127.0.0.4'))).toBe(false)
    expect(ofProxy.map(({ isCut }) => isCut)).toEqual([false, false])
  })

  it('that are exempt count in all alone, and make room for nobody', async () => {
    const { begin, isAnswered, accepted, exempt } = await open({ perAddress: 1, inAll: 3 })
    const streams: Awaited<ReturnType<typeof begin>>[] = []
    for (let at = 0; at < 3; at += 1) {
      streams.push(await begin('127.0.0.2'))
      await expect.poll(() => accepted.length).toBe(at + 1)
      accepted.forEach((socket) => exempt(socket))
    }
    expect(await isAnswered(await begin('127.0.0.3'))).toBe(false)
    expect(streams.map(({ isCut }) => isCut)).toEqual([false, false, false])
    streams.pop()?.socket.destroy()
    await expect.poll(async () => isAnswered(await begin('127.0.0.3'))).toBe(true)
  })

  it('of who has most make room for an address that has less, the newest first', async () => {
    const { begin, isAnswered } = await open({ perAddress: 10, inAll: 4 })
    const many: Awaited<ReturnType<typeof begin>>[] = []
    for (let at = 0; at < 4; at += 1) many.push(await begin('127.0.0.2'))
    const others = await Promise.all([begin('127.0.0.3'), begin('127.0.0.4')])
    for (const other of others) expect(await isAnswered(other)).toBe(true)
    await expect.poll(() => many.map(({ isCut }) => isCut)).toEqual([false, false, true, true])
  })

  it('are refused when nobody has more than the newcomer would', async () => {
    const { begin } = await open({ perAddress: 10, inAll: 2 })
    const [, , third] = [
      await begin('127.0.0.2'),
      await begin('127.0.0.3'),
      await begin('127.0.0.4'),
    ]
    await expect.poll(() => third?.isCut).toBe(true)
  })
})

it('the descriptors of a process are known', () => {
  expect(countDescriptors()).toBeGreaterThan(100)
})
