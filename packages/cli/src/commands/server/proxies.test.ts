import { createServer, request as send, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withStandIn } from '../../testing/with-server.ts'

const { server, place } = withStandIn()
let proxy: Server
let proxied: string[]
let env: Record<string, string>

/** No resolver knows it: only the proxy leads there. */
const behindProxy = 'http://signalbox.invalid'

beforeEach(async () => {
  proxied = []
  const target = Number(new URL(server.url).port)
  proxy = createServer().on('connect', (request, socket) => {
    proxied.push(request.url ?? '')
    const onward = connect(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  env = {
    SIGNALBOX_URL: behindProxy,
    SIGNALBOX_ALLOW_HTTP: '1',
    HTTP_PROXY: `http://127.0.0.1:${port}`,
  }
})
afterEach(() => {
  proxy.close()
  proxy.closeAllConnections()
})

describe('a proxy', () => {
  it('leads to the server, for every request of a command', async () => {
    const result = await place.run(['whoami'], { env })
    expect(result).toMatchObject({ code: 0 })
    expect(new Set(proxied)).toEqual(new Set(['signalbox.invalid:80']))
    const doctor = await place.run(['doctor'], { env })
    expect(doctor.stdout).toMatch(/✓ proxy +HTTP_PROXY/)
    expect(doctor.stdout).toMatch(
      /server +http:\/\/signalbox\.invalid \(from SIGNALBOX_URL\) is ready/,
    )
  })

  it('before the server is named by doctor when it refuses bodies that the server would take', async () => {
    const limit = { bytes: 1_000_000 }
    const before = createServer((request, response) => {
      if (Number(request.headers['content-length'] ?? 0) > limit.bytes) {
        request.resume()
        return response.writeHead(413, { 'content-type': 'text/html' }).end('<h1>413</h1>')
      }
      const { method, url, headers } = request
      const onward = send(server.url + url, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      onward.on('error', () => response.destroy())
      return request.pipe(onward)
    })
    await new Promise<void>((resolve) => before.listen(0, '127.0.0.1', resolve))
    const { port } = before.address() as AddressInfo
    const doctor = () => place.run(['doctor', '--server', `http://127.0.0.1:${port}`])
    expect((await doctor()).stdout).toMatch(
      /refuses bodies of 2 MiB[\s\S]*client_max_body_size 25m/,
    )
    limit.bytes = 25 * 1024 * 1024
    expect((await doctor()).stdout).not.toContain('2 MiB')
    before.close()
    before.closeAllConnections()
  })

  it('is not used for what NO_PROXY names, nor for this machine', async () => {
    const without = await place.run(['whoami'], { env: { ...env, NO_PROXY: '.invalid' } })
    expect(without.code).toBe(7)
    const here = await place.run(['whoami'], { env: { ...env, SIGNALBOX_URL: server.url } })
    expect(here).toMatchObject({ code: 0 })
    expect(proxied).toEqual([])
  })

  it.each(['http://127.0.0.1:9', 'nonsense'])(
    'is named by its variable when %s leads nowhere',
    async (address) => {
      const { code, stderr } = await place.run(['whoami'], { env: { ...env, HTTP_PROXY: address } })
      expect(code).toBe(7)
      expect(stderr).toContain('HTTP_PROXY sends the request through a proxy')
    },
  )
})
