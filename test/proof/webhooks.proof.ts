import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { listBadWebhooks, type BadWebhook } from '../testing/webhooks/bad-webhooks.ts'
import { createClient, type Client } from '../testing/http.ts'
import { openProofService, until, type ProofService } from '../testing/proof-service.ts'
import { createWebhookSender } from '../testing/webhooks/webhook-sender.ts'
import { listen } from '../testing/network/ports.ts'

const sender = createWebhookSender()
const connections = 16
let proof: ProofService | undefined

async function open(): Promise<ProofService> {
  proof = await openProofService({ env: sender.env })
  return proof
}

afterEach(async () => {
  await proof?.close()
  proof = undefined
})

interface Fault {
  readonly what: string
  readonly status: number
}

function isRight(expected: BadWebhook['expected'], status: number): boolean {
  if (expected === 'refused') return status >= 400 && status < 500
  return status === (expected === 'taken' ? 202 : 400)
}

/** Sends each, and answers those that were not answered as they should have been. */
async function findFaults(client: Client, cases: readonly BadWebhook[]): Promise<Fault[]> {
  const faults: Fault[] = []
  const queue = [...cases]
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { what, ask, expected } = next
      // A rejection in the middle of a large body may close the connection under whoever still sends.
      const status = (await client.send(ask).catch(() => undefined))?.status ?? 413
      if (!isRight(expected, status)) faults.push({ what, status })
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  return faults
}

describe('what no provider sends (R7)', () => {
  const cases = listBadWebhooks(sender)
  const isStored = ({ expected }: BadWebhook) => expected !== 'refused'

  it('is refused and leaves nothing, or is taken and ends with a reason; nothing of it is an error of ours', async () => {
    const service = await open()
    await service.asOwner(
      `insert into organizations (id, slug, name) values ('org_7', 'seven', 'Seven'), ('org_8', 'eight', 'Eight')`,
    )
    await service.asOwner(`insert into integrations (org_id, id, kind, provider, state, account_id) values
      ('org_7', 'int_7', 'codehost', 'github', 'connected', '7'), ('org_8', 'int_8', 'codehost', 'github', 'connected', '8')`)
    const client = createClient(service.current().apiUrl)
    expect(await findFaults(client, cases)).toEqual([])
    client.close()
    const stored = await service.asOwner('select from received_webhooks')
    expect(stored).toHaveLength(cases.filter(isStored).length)
    const openSql = `select from received_webhooks where state in ('received', 'processing', 'failed')`
    await until(async () => (await service.asOwner(openSql)).length === 0, 'the last one', 240_000)
    const bad = `select state, reason, event from received_webhooks where state = 'dead' or (state = 'ignored' and reason is null)`
    expect(await service.asOwner(bad)).toEqual([])
    // Everything that named an account named the seventh.
    const foreign = `select from received_webhooks where org_id is distinct from case when account_id = '7' then 'org_7' end`
    expect(await service.asOwner(foreign)).toEqual([])
    for (const table of ['deployments', 'repositories', 'received_webhooks']) {
      expect(await service.asOwner(`select from ${table} where org_id = 'org_8'`)).toEqual([])
    }
  })

  it('control: a server that reads before it checks fails', async () => {
    const server = createServer(async (request, response) => {
      try {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(Buffer.from(chunk))
        const event = JSON.parse(Buffer.concat(chunks).toString())
        response.writeHead(event.deployment_status.state === 'success' ? 202 : 204).end()
      } catch {
        response.writeHead(500).end()
      }
    })
    const client = createClient(`http://127.0.0.1:${await listen(server)}`)
    const faults = await findFaults(client, cases)
    client.close()
    server.close()
    const statuses = new Map(faults.map(({ what, status }) => [what, status]))
    expect([statuses.get('no signature'), statuses.get('html')]).toEqual([202, 500])
    expect(faults.length).toBeGreaterThan(30)
  })
})
