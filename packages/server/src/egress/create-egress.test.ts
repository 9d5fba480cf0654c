import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createAddressGuard, toEntry } from './address-guard.ts'
import { createEgress, type Egress, type EgressOptions } from './create-egress.ts'
import { EgressError } from './egress-error.ts'

/** Addresses that nobody outside may make us call, in every spelling that has worked somewhere. */
const forbiddenUrls = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://①②⑦.⓪.⓪.①/',
  'https://0.0.0.0/',
  'https://0/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://169.254.10.20/',
  'https://100.64.0.1/',
  'https://192.0.0.1/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://198.51.100.7/',
  'https://203.0.113.9/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[0:0:0:0:0:ffff:a00:1]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::a00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:7f00:1::]/',
  'https://[2001:db8::1]/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://[fd12:3456::1]/',
  'https://[ff02::1]/',
  'https://[100::1]/',
  'https://[fec0::1]/',
  'https://127.0.0.1./',
  'https://127.000.000.001/',
  'https://0x7f000001/',
  'https://%31%32%37.0.0.1/',
  'https://127.255.255.254/',
  'https://10.255.255.254/',
  'https://172.31.255.254/',
  'https://192.168.255.254/',
  'https://100.127.255.254/',
  'https://198.19.255.254/',
  'https://239.255.255.250/',
  'https://[::ffff:169.254.10.20]/',
  'https://[::ffff:a9fe:a14]/',
  'https://[2002:a00:1::]/',
  'https://[64:ff9b::a9fe:a14]/',
]

const invalidUrls = [
  '',
  'nonsense',
  '//example.com/',
  'file:///etc/passwd',
  'ftp://example.com/',
  'gopher://127.0.0.1:70/x',
  'data:text/plain,x',
  'javascript:alert(1)',
  'unix:/var/run/x.sock',
  'http://example.com/',
  'http://203.0.113.9/',
  'https://user:secret@example.com/',
  'https://user@example.com/',
  'https://',
]

type Answer = (request: IncomingMessage, response: ServerResponse) => void

let answer: Answer = (_request, response) => response.end('ok')
let seen: string[] = []
const server = createServer((request, response) => {
  seen.push(`${request.method} ${request.url}`)
  answer(request, response)
})
let origin = ''
let port = 0
const opened: Egress[] = []

function open(options: Partial<EgressOptions> = {}): Egress {
  const egress = createEgress({ allow: ['127.0.0.1'], ...options })
  opened.push(egress)
  return egress
}

async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'answered'
  } catch (error) {
    return error instanceof EgressError ? error.code : String(error)
  }
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  origin = `http://127.0.0.1:${port}`
})

afterEach(async () => {
  seen = []
  answer = (_request, response) => response.end('ok')
  await Promise.all(opened.splice(0).map((egress) => egress.close()))
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

describe('the addresses that may be called', () => {
  it('include no private address, however it is spelled', async () => {
    const egress = open({ allow: [] })
    const outcomes = await Promise.all(
      forbiddenUrls.map(async (url) => [url, await outcomeOf(egress.request(url))]),
    )
    expect(outcomes.filter(([, outcome]) => outcome !== 'address_forbidden')).toEqual([])
    expect(forbiddenUrls.length + invalidUrls.length).toBeGreaterThanOrEqual(60)
  })

  it('are https without credentials, or plain http where the operator allows it', async () => {
    const egress = open()
    const outcomes = await Promise.all(
      invalidUrls.map(async (url) => [url, await outcomeOf(egress.request(url))]),
    )
    expect(outcomes.filter(([, outcome]) => outcome !== 'invalid_url')).toEqual([])
  })

  it('include no name with a private address, not even as one of several', async () => {
    const addresses = [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
    const egress = open({ allow: [], resolveHost: (_hostname, done) => done(null, addresses) })
    for (const host of [
      'internal.example',
      'localhost',
      'localhost.',
      'metadata.google.internal',
    ]) {
      expect(await outcomeOf(egress.request(`https://${host}:${port}/`))).toBe('address_forbidden')
    }
    expect(seen).toEqual([])
  })

  it('are checked at the moment of the connection: a name that resolves differently gains nothing', async () => {
    let asked = 0
    const egress = open({
      allow: [],
      resolveHost: (_hostname, done) => {
        asked++
        done(null, [{ address: asked === 1 ? '127.0.0.1' : '93.184.216.34', family: 4 }])
      },
    })
    expect(await outcomeOf(egress.request(`https://rebind.example:${port}/`))).toBe(
      'address_forbidden',
    )
    expect(asked).toBe(1)
    expect(seen).toEqual([])
  })

  it('are those that were checked: a name is not resolved again to connect', async () => {
    let [asked, connections] = [0, 0]
    const count = () => void (connections += 1)
    server.on('connection', count)
    const egress = open({
      // Nothing listens there, and the server of these tests is at another address.
      allow: ['127.0.0.2'],
      resolveHost: (_hostname, done) => {
        asked++
        done(null, [{ address: asked === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }])
      },
    })
    expect(await outcomeOf(egress.request(`https://rebind.example:${port}/`))).toBe('connection')
    server.off('connection', count)
    expect([asked, connections]).toEqual([1, 0])
  })

  it('include those that the operator names, with a port or on every port', () => {
    const port = 443
    const allowed = ['GitHub.internal:8443', '[fd00::1]:443', '192.168.7.7:80', '10.1.0.0/16:443']
    const guard = createAddressGuard([...allowed, '[fd01::/64]:443', '::1'])
    expect(guard.isNamed('github.internal', 8443)).toBe(true)
    expect(guard.isNamed('github.internal', port)).toBe(false)
    for (const address of ['fd00::1', '10.1.2.3', 'fd01::5', '::1']) {
      expect([address, guard.allowsAddress(address, port)]).toEqual([address, true])
      const isOpen = address === '::1'
      expect([address, guard.allowsAddress(address, 8080)]).toEqual([address, isOpen])
    }
    expect(guard.allowsAddress('192.168.7.7', 80)).toBe(true)
    expect(guard.allowsAddress('192.168.7.7', port)).toBe(false)
    expect(guard.isNamed('192.168.7.7', 80)).toBe(true)
    expect(toEntry('https://GitLab.internal/api')).toBe('gitlab.internal:443')
    expect(toEntry('http://[fd00::1]:8080/x')).toBe('[fd00::1]:8080')
    for (const wrong of ['http://x', 'a b', 'x:', 'x:99999', ':80', '[fd00::1]x', '10.0.0.0/99']) {
      expect(() => createAddressGuard([wrong])).toThrow('is not a host')
    }
  })

  it('include those that the operator names: hosts, addresses and networks', () => {
    const guard = createAddressGuard(['GitHub.internal', '10.1.0.0/16', '192.168.7.7', 'fd00::/8'])
    expect(guard.isNamed('github.internal', 443)).toBe(true)
    expect(guard.isNamed('x.github.internal', 443)).toBe(false)
    expect(guard.allowsAddress('10.1.2.3', 443)).toBe(true)
    expect(guard.allowsAddress('::ffff:10.1.2.3', 443)).toBe(true)
    expect(guard.allowsAddress('10.2.2.3', 443)).toBe(false)
    expect(guard.allowsAddress('192.168.7.7', 443)).toBe(true)
    expect(guard.allowsAddress('192.168.7.8', 443)).toBe(false)
    expect(guard.allowsAddress('fd00::5', 443)).toBe(true)
    expect(guard.allowsAddress('8.8.8.8', 443)).toBe(true)
    expect(guard.allowsAddress('2606:4700::1111', 443)).toBe(true)
    expect(guard.allowsAddress('nonsense', 443)).toBe(false)
  })

  it('control: without the guard the same call is answered', async () => {
    const resolveHost: EgressOptions['resolveHost'] = (_hostname, done) =>
      done(null, [{ address: '127.0.0.1', family: 4 }])
    const guarded = open({ allow: [], resolveHost })
    expect(await outcomeOf(guarded.request(`https://internal.example:${port}/`))).toBe(
      'address_forbidden',
    )
    const elsewhere = open({ allow: ['internal.example:1'], resolveHost })
    expect(await outcomeOf(elsewhere.request(`https://internal.example:${port}/`))).toBe(
      'address_forbidden',
    )
    const unguarded = open({ allow: [`internal.example:${port}`], resolveHost })
    const { status } = await unguarded.request(`http://internal.example:${port}/`)
    expect([status, seen]).toEqual([200, ['GET /']])
  })
})

describe('a call', () => {
  it('sends method, headers and body, and returns status, headers and body', async () => {
    answer = (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        response.writeHead(201, { 'x-sent': String(request.headers['accept-encoding']) })
        response.end(Buffer.concat(chunks))
      })
    }
    const given = {
      method: 'POST',
      body: '{"a":1}',
      headers: { 'accept-encoding': 'gzip' },
    } as const
    const { status, headers, body } = await open().request(`${origin}/x`, given)
    expect([status, headers['x-sent'], body.toString()]).toEqual([201, 'identity', '{"a":1}'])
  })

  it('follows no redirect', async () => {
    answer = (_request, response) => response.writeHead(302, { location: `${origin}/second` }).end()
    const { status, headers } = await open().request(`${origin}/first`)
    expect([status, headers['location'], seen]).toEqual([302, `${origin}/second`, ['GET /first']])
    for (const code of [301, 303, 307, 308]) {
      answer = (_request, response) => response.writeHead(code, { location: '/second' }).end()
      expect((await open().request(`${origin}/${code}`)).status).toBe(code)
      expect(seen.at(-1)).toBe(`GET /${code}`)
    }
    const answered = await open().fetch(`${origin}/fetched`, { redirect: 'follow' })
    expect([answered.status, seen.at(-1)]).toEqual([308, 'GET /fetched'])
  })

  it('ends at its deadline, also when the answer drips', async () => {
    answer = (_request, response) => {
      const drip = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(drip))
    }
    // An answer that drips has no other end.
    expect(await outcomeOf(open().request(origin, { timeoutMs: 300 }))).toBe('timeout')
  })

  it('ends at its deadline when nothing comes, and when its caller gives up', async () => {
    answer = () => {}
    expect(await outcomeOf(open().request(origin, { timeoutMs: 100 }))).toBe('timeout')
    const signal = AbortSignal.timeout(50)
    expect(await outcomeOf(open().request(origin, { signal }))).toBe('connection')
  })

  it('limits the bytes of an answer, whether declared or not', async () => {
    answer = (_request, response) => {
      const flood = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      }
      response.on('drain', flood)
      flood()
    }
    const before = process.memoryUsage().rss
    expect(await outcomeOf(open().request(origin, { maxBytes: 100_000 }))).toBe('too_large')
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
  })

  it('counts the decompressed bytes of an answer', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024))
    expect(bomb.length).toBeLessThan(100_000)
    answer = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    expect(await outcomeOf(open().request(origin, { maxBytes: 1024 * 1024 }))).toBe('too_large')
    answer = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hi'))
    expect((await open().request(origin)).body.toString()).toBe('hi')
    answer = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'zstd' }).end('x')
    expect(await outcomeOf(open().request(origin))).toBe('encoding')
    answer = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('junk')
    expect(await outcomeOf(open().request(origin))).toBe('encoding')
  })

  it('that is cut, refused or misanswered is an error of the connection', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half')
      setTimeout(() => response.destroy(), 10)
    }
    expect(await outcomeOf(open().request(origin))).toBe('connection')
    expect(await outcomeOf(open({ allow: ['127.0.0.1'] }).request('http://127.0.0.1:1/'))).toBe(
      'connection',
    )
  })

  it('reports a failure with the host alone, so that nothing sent gets into a log', async () => {
    const failed = open({ allow: [] }).request('https://127.0.0.1/callback?code=hunter2', {
      headers: { authorization: 'Bearer hunter2' },
    })
    await expect(failed).rejects.toThrow('The call to 127.0.0.1 failed: address_forbidden')
  })
})

describe('fetch', () => {
  it('is the same guarded call under the platform’s types', async () => {
    answer = (request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({ method: request.method, auth: request.headers['authorization'] }),
      )
    }
    const response = await open().fetch(`${origin}/x`, {
      method: 'PUT',
      body: 'x',
      headers: { authorization: 'Bearer t' },
    })
    expect(response).toBeInstanceOf(Response)
    expect(await response.json()).toEqual({ method: 'PUT', auth: 'Bearer t' })
    expect(await outcomeOf(open({ allow: [] }).fetch('https://10.0.0.1/'))).toBe(
      'address_forbidden',
    )
  })
})

describe('an answer that goes on', () => {
  const follow = (url: string, more: { silentMs?: number; signal?: AbortSignal } = {}) => {
    let text = ''
    const options = {
      headers: {},
      silentMs: 5_000,
      signal: new AbortController().signal,
      onText: (part: string) => (text += part),
      ...more,
    }
    return { ended: open().follow(url, options), text: () => text }
  }

  it('is read as it comes, whatever its bytes are cut into, until it ends', async () => {
    answer = (_request, response) => {
      const bytes = Buffer.from('data: é\n\n')
      response.write(bytes.subarray(0, 7))
      setImmediate(() => response.end(bytes.subarray(7)))
    }
    const followed = follow(`${origin}/stream`)
    expect([await followed.ended, followed.text()]).toEqual([200, 'data: é\n\n'])
  })

  it('ends when nothing comes for too long, and when nobody wants it any more', async () => {
    answer = (_request, response) => void response.write('data: 1\n\n')
    expect(await outcomeOf(follow(`${origin}/stream`, { silentMs: 10 }).ended)).toBe('timeout')
    const stop = new AbortController()
    const followed = follow(`${origin}/stream`, { signal: stop.signal })
    await expect.poll(() => followed.text()).toBe('data: 1\n\n')
    stop.abort()
    expect(await outcomeOf(followed.ended)).toBe('connection')
  })

  it('is read from no address that may not be called, and of a refusal only the status', async () => {
    expect(await outcomeOf(follow('https://10.0.0.1/').ended)).toBe('address_forbidden')
    answer = (_request, response) => response.writeHead(503).end('later')
    const followed = follow(`${origin}/stream`)
    expect([await followed.ended, followed.text()]).toEqual([503, ''])
  })
})
