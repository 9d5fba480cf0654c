import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { runLoad, type Load } from './load.ts'

let server: Server
afterEach(() => server.close())

async function load(listener: RequestListener, more: Partial<Load> = {}) {
  server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const requests = [{ path: '/', headers: {} }]
  return runLoad({ port, requests, connections: 2, seconds: 0.3, core: undefined, ...more })
}

describe('runLoad', () => {
  it('counts every answer: with a length, in chunks, in several pieces, without a body', async () => {
    let asked = 0
    const requests = Array.from({ length: 12 }, () => ({ path: '/', headers: {} }))
    const listener: RequestListener = (_, response) => {
      asked += 1
      if (asked % 4 === 0) response.writeHead(304).end()
      else if (asked % 4 === 1) response.end('x'.repeat(500_000))
      else response.writeHead(asked % 4 === 2 ? 200 : 202).end()
    }
    const result = await load(listener, { requests, isOnce: true })
    expect([result.answers, asked, result.errors]).toEqual([12, 12, 0])
  })

  it('asks in turn until the time is over', async () => {
    const paths: string[] = []
    const requests = ['/1', '/2', '/3'].map((path) => ({ path, headers: {} }))
    const listener: RequestListener = (request, response) => {
      paths.push(request.url ?? '')
      response.end('{}')
    }
    const { answers } = await load(listener, { requests, connections: 1, seconds: 0.5 })
    expect(answers).toBe(paths.length)
    expect(paths).toEqual(paths.map((_, index) => `/${1 + (index % 3)}`))
  })

  it('posts the bodies in turn, each with a number of its own', async () => {
    const seen = new Set<string>()
    const bodies = new Set<string>()
    const requests = ['{"a":1}', '{"é":2}'].map((body) => ({ path: '/', headers: {}, body }))
    const numbered = { requests, numberedBy: 'X-Number', isOnce: true }
    const result = await load((request, response) => {
      seen.add(String(request.headers['x-number']))
      let text = ''
      request.setEncoding('utf8').on('data', (part: string) => (text += part))
      request.on('end', () => {
        bodies.add(`${request.method} ${text}`)
        response.end('{}')
      })
    }, numbered)
    expect(bodies).toEqual(new Set(['POST {"a":1}', 'POST {"é":2}']))
    expect([seen.size, result.answers]).toEqual([2, 2])
  })

  it('counts wrong answers, and connections that end before theirs', async () => {
    const wrong = await load((_, response) => void response.writeHead(500).end())
    expect(wrong.errors).toBe(wrong.answers)
    server.close()
    const broken = await load((request) => void request.socket.destroy())
    expect(broken).toMatchObject({ answers: 0, errors: 2 })
  })
})
