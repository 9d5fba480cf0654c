import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openSession } from '../session.ts'
import { openPipeline } from './open-pipeline.ts'

let actions: Server
let issued: number
let status: number

beforeEach(async () => {
  issued = 0
  status = 200
  actions = createServer((_, response) => {
    issued += 1
    response.writeHead(status).end(JSON.stringify({ value: `token-${issued}`.padEnd(40, 'x') }))
  })
  await new Promise<void>((resolve) => actions.listen(0, '127.0.0.1', resolve))
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
  actions.close()
})

it('the token of a job is replaced before it ends, and used on while no other is to be had', async () => {
  const write = { write: () => undefined }
  const sender = await openPipeline(
    openSession(
      {},
      {
        stdin: Readable.from([]),
        stdout: write,
        stderr: write,
        env: {
          SIGNALBOX_URL: 'http://127.0.0.1:1',
          SIGNALBOX_ORGANIZATION: 'acme',
          ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${(actions.address() as AddressInfo).port}/`,
          ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request',
        },
        home: '/nowhere',
        startChild: () => {
          throw new Error('Nothing is started')
        },
      },
    ),
  )
  const read = async () => (await sender.api()).token.slice(0, 7)
  expect([await read(), await read()]).toEqual(['token-1', 'token-1'])
  vi.setSystemTime(Date.now() + 3 * 60_000)
  expect(await read()).toBe('token-2')
  status = 500
  vi.setSystemTime(Date.now() + 3 * 60_000)
  expect(await read()).toBe('token-2')
  status = 200
  expect(await read()).toBe('token-4')
})
