import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClients } from '../testing/clients.ts'
import { createSigner } from '../testing/signer.ts'
import { environmentId, schemaId, serverKey } from '../testing/snapshot-server.ts'
import { verify } from '../verify/index.ts'

const clients = createClients()
const signer = createSigner()
let server: Server
let url = ''
/** Changes the text of the answers, as somebody on the way does. */
let alter = (text: string) => text

beforeEach(async () => {
  alter = (text) => text
  server = createServer((_, response) => {
    const { text, headers } = signer.publish({ audience: 'server', schemaId, environmentId })
    response.writeHead(200, headers).end(alter(text))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  url = `http://127.0.0.1:${port}`
})

afterEach(async () => {
  clients.close()
  server.closeAllConnections()
  await new Promise((resolve) => {
    server.close(resolve)
  })
})

describe('a client with verify', () => {
  const lie = (text: string) => text.replace('"beta":true', '"beta":null')

  it('keeps its values and says why, when an answer is altered', async () => {
    const client = clients.open({
      serverUrl: url,
      token: serverKey,
      refresh: false,
      fetch: verify({ keys: [signer.publicKey] }),
    })
    expect(await client.flag('beta')).toBe(true)
    alter = lie
    await client.refresh()
    expect(client.snapshot().flag('beta')).toBe(true)
    expect(client.status).toMatchObject({ stale: true, error: { code: 'untrusted' } })
    expect(client.status.error?.message).toBe('The snapshot was changed on the way')
    alter = (text) => text
    await client.refresh()
    await expect.poll(() => client.status.error).toBeUndefined()
  })

  it('control: without verify the client believes the altered answer', async () => {
    const client = clients.open({ serverUrl: url, token: serverKey, refresh: false })
    expect(await client.flag('beta')).toBe(true)
    alter = lie
    await client.refresh()
    expect(client.snapshot().flag('beta')).toBe(false)
  })
})
