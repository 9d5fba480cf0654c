import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Sandbox } from '../../../../../sandbox/src/sandbox.ts'
import { startSandbox } from '../../../../../sandbox/src/start-sandbox.ts'

const sixHoursMs = 6 * 3_600_000
let sandbox: Sandbox
let server: Server
let status: number
let came: { readonly headers: IncomingHttpHeaders; readonly raw: string }[]

beforeEach(async () => {
  came = []
  sandbox = await startSandbox()
  server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      came.push({ headers: request.headers, raw: Buffer.concat(parts).toString('utf8') })
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  sandbox.linear.app.webhookUrl = `http://127.0.0.1:${port}/`
})
afterEach(async () => {
  await sandbox.close()
  server.closeAllConnections()
  server.close()
})

it.each([204, 500])(
  'comes again three times after %s, as it was the first time',
  async (answer) => {
    status = answer
    const at = sandbox.clock.now().getTime()
    sandbox.linear.editIssue('ABC-2', { title: 'Show it' })
    await expect.poll(() => came.length).toBe(1)
    // The longest wait at each look: none of the retries is due later.
    const countLater = () => {
      sandbox.clock.advance(sixHoursMs)
      return came.length
    }
    await expect.poll(countLater).toBe(4)
    const [first] = came
    const { webhookTimestamp } = JSON.parse(first?.raw ?? '{}')
    expect(Math.abs(webhookTimestamp - at)).toBeLessThan(60_000)
    const { webhookSecret } = sandbox.linear.app
    const signature = createHmac('sha256', webhookSecret).update(first?.raw ?? '')
    expect(first?.headers).toMatchObject({
      'linear-signature': signature.digest('hex'),
      'linear-timestamp': String(webhookTimestamp),
    })
    for (const { headers, raw } of came) {
      expect(raw).toBe(first?.raw)
      expect(headers['linear-delivery']).toBe(first?.headers['linear-delivery'])
      expect(headers['linear-timestamp']).toBe(first?.headers['linear-timestamp'])
    }
  },
)
