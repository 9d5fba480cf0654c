import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { startSandbox, type Sandbox } from '@signalbox/sandbox'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { discordWebhooks } from './webhooks.ts'

interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

let sandbox: Sandbox
let server: Server
let address: string
/** Holds what Discord sent, oldest first. */
let sent: Sent[]
let answer: (webhook: Sent) => number

const isGenuine = ({ headers, body }: Sent, now = sandbox.clock.now()) =>
  discordWebhooks
    .readClaim((name) => headers[name], now)
    ?.isVerifiedBy([sandbox.discord.app.publicKey], body) === true
const answerAsWanted = (webhook: Sent) => {
  if (!isGenuine(webhook)) return 401
  return discordWebhooks.storedStatus ?? 202
}

beforeAll(async () => {
  sandbox = await startSandbox()
  server = createServer(async (request, response) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const webhook = { headers, body: Buffer.concat(await request.toArray()) }
    sent.push(webhook)
    response.writeHead(answer(webhook)).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = server.address()
  address = `http://127.0.0.1:${typeof at === 'object' ? at?.port : ''}/`
  reset()
})
afterEach(reset)
afterAll(async () => {
  await Promise.all([sandbox.close(), new Promise((closed) => void server.close(closed))])
})

function reset(): void {
  sandbox.reset()
  sandbox.discord.app.eventsUrl = undefined
  sent = []
  answer = answerAsWanted
}

async function sendOne(): Promise<Sent> {
  await sandbox.discord.events.setUrl(address)
  expect(await sandbox.discord.events.send('APPLICATION_DEAUTHORIZED')).toBe(204)
  const last = sent.at(-1)
  if (last === undefined) throw new Error('Nothing was sent')
  return last
}

describe('the address of events', () => {
  it('passes the checks of Discord: 204 for what it signed, 401 for what it signed wrongly', async () => {
    await sandbox.discord.events.setUrl(address)
    expect(sent.map((webhook) => isGenuine(webhook))).toEqual([true, false])
    expect(await sandbox.discord.events.probe()).toBe(401)
    expect(sandbox.discord.app.eventsUrl).toBe(address)
  })

  it.each([
    ['204', () => 204],
    ['202', (webhook: Sent) => (isGenuine(webhook) ? 202 : 401)],
  ])('control: is refused where everything is answered with %s', async (_, wrong) => {
    answer = wrong
    await expect(sandbox.discord.events.setUrl(address)).rejects.toThrow('answered PING')
    expect(sandbox.discord.app.eventsUrl).toBeUndefined()
  })

  it('control: is lost where a wrong signature is taken later', async () => {
    await sandbox.discord.events.setUrl(address)
    answer = () => 204
    expect(await sandbox.discord.events.probe()).toBe(204)
    expect(sandbox.discord.app.eventsUrl).toBeUndefined()
  })
})

describe('an event', () => {
  it('is proven by the signature of its own time and body alone', async () => {
    const { headers, body } = await sendOne()
    expect(isGenuine({ headers, body })).toBe(true)
    const changed = (name: string, value: string) =>
      isGenuine({ headers: { ...headers, [name]: value }, body })
    const sentAt = Number(headers['x-signature-timestamp'])
    expect(isGenuine({ headers, body: Buffer.concat([body, Buffer.from(' ')]) })).toBe(false)
    expect(changed('x-signature-timestamp', String(sentAt - 1))).toBe(false)
    expect(changed('x-signature-timestamp', 'now')).toBe(false)
    expect(changed('x-signature-ed25519', '')).toBe(false)
    expect(changed('x-signature-ed25519', '0'.repeat(128))).toBe(false)
  })

  it('is taken while Discord repeats it, and refused when it is older', async () => {
    const webhook = await sendOne()
    const after = (minutes: number) =>
      isGenuine(webhook, new Date(sandbox.clock.now().getTime() + minutes * 60_000))
    expect([after(10), after(16), after(-16)]).toEqual([true, false, false])
  })

  it('is the same when it comes again, and a PING wants no text', async () => {
    const { body } = await sendOne()
    const describeBody = (text: string | Buffer) =>
      discordWebhooks.describe(() => undefined, Buffer.from(text))
    expect(describeBody(body)).toEqual(describeBody(body))
    expect(describeBody(body)).toMatchObject({
      subject: { event: 'APPLICATION_DEAUTHORIZED', accountId: null },
      isJson: true,
    })
    expect(describeBody('{"version":1,"type":0}')).toEqual({ type: 'challenge', answer: '' })
    expect(describeBody('{')).toMatchObject({ subject: { event: 'unknown' }, isJson: false })
  })
})
