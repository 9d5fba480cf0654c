import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTrust } from '../../project/file-owner.ts'
import { serveApplication, type Application } from './serve-application.ts'

let application: Application

beforeAll(async () => {
  application = await serveApplication(
    { trust: () => readTrust({}) },
    {
      configUrl: 'http://127.0.0.1:4401',
      browserKey: 'sbx_b2m_"><script>',
      schemaId: 'sch_1',
      environment: 'production',
      environmentId: 'env_1',
      flagsUrl: 'http://127.0.0.1:4400/acme/flags',
      valuesUrl: 'http://127.0.0.1:4400/acme/config',
    },
  )
})
afterAll(() => application.close())

/** Asks for a path as it is given: `fetch` would resolve it first. */
async function read(path: string): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(application.url)
    request({ hostname, port, path }, (answer) => {
      void text(answer).then((body) => resolve({ status: answer.statusCode, body }))
    })
      .once('error', reject)
      .end()
  })
}

describe('the application of the demo', () => {
  it('serves its page with the key as text, and the modules of the client', async () => {
    const page = await read('/?from=demo')
    expect(page.status).toBe(200)
    expect(page.body).not.toContain('<script>')
    expect((await read('/signalbox/client/browser.ts')).body).toContain('createConfigClient')
  })

  it.each(['//', '///x', '/%', '/..%2f', '/signalbox/../package.json', '/signalbox/x.json'])(
    'has nothing at %s, and goes on',
    async (path) => {
      expect((await read(path)).status).toBe(404)
      expect((await read('/')).status).toBe(200)
    },
  )
})
