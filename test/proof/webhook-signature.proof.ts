import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  forgeForChat,
  forgeForCodehost,
  type ForgedWebhook,
} from '../testing/webhooks/forged-webhooks.ts'
import { createClient, type Client } from '../testing/http.ts'
import { openProofService, type ProofService } from '../testing/proof-service.ts'
import { createWebhookSender, sampleStatus } from '../testing/webhooks/webhook-sender.ts'

const sender = createWebhookSender()
const chatSecret = 'the-signing-secret-of-the-chat'
const codehostSecret = sender.env['SIGNALBOX_GITHUB_WEBHOOK_SECRET'] ?? ''
const event = Buffer.from('{"event_id":"Ev1","team_id":"T1","event":{"type":"app_uninstalled"}}')
const challenge = Buffer.from(
  '{"type":"url_verification","challenge":"say this, and no more of it"}',
)

let proof: ProofService
let client: Client

beforeAll(async () => {
  const env = {
    ...sender.env,
    SIGNALBOX_SLACK_CLIENT_ID: 'client',
    SIGNALBOX_SLACK_CLIENT_SECRET: 'secret-of-the-client',
    SIGNALBOX_SLACK_SIGNING_SECRET: chatSecret,
  }
  proof = await openProofService({ env })
  client = createClient(proof.current().apiUrl)
})
afterAll(async () => {
  client.close()
  await proof.close()
})

interface Fault {
  readonly what: string
  readonly status: number
  readonly text: string
}

/** Sends each, and answers those that were not refused with 401. */
async function findTaken(forged: readonly ForgedWebhook[]): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const { what, ask } of forged) {
    const { status, bytes } = await client.send(ask)
    const text = bytes.toString()
    if (status !== 401 || text.includes('say this')) faults.push({ what, status, text })
  }
  return faults
}

const stored = () =>
  proof.asOwner<{ provider: string }>('select provider from received_webhooks order by provider')
const seconds = () => Math.floor(Date.now() / 1000)

describe('a webhook that its provider has not signed (S7)', () => {
  it('is answered with 401 and nothing else, and leaves nothing', async () => {
    const forged = [
      ...forgeForCodehost(codehostSecret, sampleStatus(7)).forged,
      ...forgeForChat(chatSecret, event, seconds()).forged,
      ...forgeForChat(chatSecret, challenge, seconds()).forged,
    ]
    const taken = await findTaken(forged)
    console.log(`webhook signature: ${forged.length} forged, ${taken.length} taken`)
    expect(taken).toEqual([])
    expect(forged.length).toBeGreaterThanOrEqual(80)
    expect(await stored()).toEqual([])
    expect(await proof.asOwner(`select from pgboss.job where name = 'inbox.process'`)).toEqual([])
  })

  it('control: the same with the right signature is taken and stored', async () => {
    const genuine = [
      forgeForCodehost(codehostSecret, sampleStatus(7)).genuine,
      forgeForChat(chatSecret, event, seconds()).genuine,
    ]
    const statuses = await Promise.all(genuine.map(async (ask) => (await client.send(ask)).status))
    expect(statuses).toEqual([202, 202])
    expect(await stored()).toEqual([{ provider: 'github' }, { provider: 'slack' }])
  })

  it('control: who has the secret is believed, so a forgery made with it is found to be taken', async () => {
    const { forged } = forgeForCodehost(codehostSecret, sampleStatus(8))
    const { genuine } = forgeForCodehost(codehostSecret, sampleStatus(8))
    const undone = forged.slice(0, 5).map(({ what }) => ({ what, ask: genuine }))
    expect(await findTaken(undone)).toHaveLength(5)
  })
})
