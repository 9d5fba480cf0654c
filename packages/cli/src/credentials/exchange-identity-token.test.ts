import { createServer, type Server } from 'node:http'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findToken } from './resolve-token.ts'

let server: Server
let url: string
let directory: string
const seen: string[] = []
let answer: { status: number; body: object }

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'signalbox-identity-'))
  server = createServer(async (request, response) => {
    seen.push(`${request.method} ${request.url} ${decodeURIComponent(await text(request))}`)
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true })
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(() => {
  seen.length = 0
  answer = { status: 200, body: { access_token: 'short.lived.token', expires_in: 900 } }
})

const path = () => join(directory, 'token')
const variables = () => ({
  SIGNALBOX_KEY_ID: 'key_1',
  SIGNALBOX_IDENTITY_TOKEN_FILE: path(),
  XDG_CONFIG_HOME: directory,
})
const find = (env: Readonly<Record<string, string>> = variables()) =>
  findToken({
    env,
    profile: 'default',
    server: { url, source: 'SIGNALBOX_URL', namedBy: 'user' },
  })

describe('the token of a service account', () => {
  it('is read from its file each time, and exchanged for a token of the key', async () => {
    for (const token of ['first', 'second']) {
      writeFileSync(path(), `${token}\n`)
      expect(await find()).toEqual({
        token: 'short.lived.token',
        source: 'SIGNALBOX_IDENTITY_TOKEN_FILE',
      })
    }
    const grant = 'grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&client_id=key_1'
    expect(seen).toEqual([
      `POST /oauth/token ${grant}&assertion=first`,
      `POST /oauth/token ${grant}&assertion=second`,
    ])
  })

  it('is not used where SIGNALBOX_TOKEN is set', async () => {
    const found = await find({ ...variables(), SIGNALBOX_TOKEN: 'x' })
    expect(found).toEqual({ token: 'x', source: 'SIGNALBOX_TOKEN' })
    expect(seen).toEqual([])
  })

  it('says what is missing, and why the server refuses, without the token', async () => {
    writeFileSync(path(), 'canary')
    const { SIGNALBOX_KEY_ID: _, ...withoutKey } = variables()
    await expect(find(withoutKey)).rejects.toThrow('SIGNALBOX_KEY_ID')
    const elsewhere = { ...variables(), SIGNALBOX_IDENTITY_TOKEN_FILE: join(directory, 'absent') }
    await expect(find(elsewhere)).rejects.toThrow('cannot be read')
    answer = {
      status: 400,
      body: { error: 'invalid_grant', error_description: 'It is for another audience.' },
    }
    const refused = await find().catch((error: unknown) => String(error))
    expect(refused).toContain('another audience')
    expect(refused).not.toContain('canary')
    answer = { status: 502, body: {} }
    await expect(find()).rejects.toThrow('status 502')
  })
})
