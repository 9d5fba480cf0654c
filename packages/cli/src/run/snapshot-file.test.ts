import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { readSnapshot, type RunSnapshot, writeSnapshot } from './snapshot-file.ts'
import type { SnapshotKey } from './snapshot-key.ts'

const directory = mkdtempSync(join(tmpdir(), 'signalbox-snapshot-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const path = join(directory, 'deep', 'values.sealed')
const token: SnapshotKey = { kind: 'token', secret: `sbx_m2m_${'a'.repeat(46)}` }
const passphrase: SnapshotKey = { kind: 'passphrase', secret: 'correct horse battery staple' }
const subject = { organization: 'acme', schema: 'web', environment: 'staging' }
const snapshot: RunSnapshot = {
  schemaId: 'sch_1',
  environmentId: 'env_1',
  configUrl: 'https://config.example.com',
  fetchedAt: '2026-11-22T06:00:00.000Z',
  version: 7,
  values: { stripeKey: 'sk_live_1', timeoutMs: 3000, newCheckout: false },
  secrets: [],
  variables: {},
}
const read = (key = token, of: typeof subject | { environment: string } = subject) =>
  readSnapshot(path, key, { organization: undefined, schema: undefined, ...of })

describe.each([
  ['a token', token],
  ['a passphrase', passphrase],
])('kept values, sealed with %s', (_, key) => {
  beforeEach(() => writeSnapshot(path, key, subject, snapshot))

  it('open again, and are for their owner alone', async () => {
    expect(await read(key)).toEqual({ state: 'opened', snapshot })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
  })

  it('hold nothing that can be read', () => {
    const bytes = Buffer.from(readFileSync(path, 'utf8'), 'base64').toString('latin1')
    for (const text of ['sk_live_1', 'stripeKey', 'staging', 'acme', key.secret]) {
      expect(bytes).not.toContain(text)
    }
  })
})

describe('kept values', () => {
  beforeEach(() => writeSnapshot(path, token, subject, snapshot))

  it('do not open when any byte was changed', async () => {
    const whole = Buffer.from(readFileSync(path, 'utf8'), 'base64')
    for (let at = 0; at < whole.length; at += 1) {
      const changed = Buffer.from(whole)
      changed[at] = (changed[at] ?? 0) ^ 1
      writeFileSync(path, changed.toString('base64'))
      expect(await read(), `byte ${at}`).toEqual({ state: 'sealed' })
    }
  })

  it('do not open when they were cut off, or are something else', async () => {
    const text = readFileSync(path, 'utf8')
    for (const other of ['', 'AA==', 'no base64 at all', text.slice(0, 40), text.slice(0, -8)]) {
      writeFileSync(path, other)
      expect(await read()).toEqual({ state: 'sealed' })
    }
  })

  it('do not open with another key, or a passphrase of the same text', async () => {
    expect(await read({ ...token, secret: `${token.secret}b` })).toEqual({ state: 'sealed' })
    expect(await read({ ...token, kind: 'passphrase' })).toEqual({ state: 'sealed' })
  })

  it.each([
    ['environment staging', { ...subject, environment: 'production' }],
    ['schema web', { ...subject, schema: 'shop' }],
    ['organization acme', { ...subject, organization: 'other' }],
  ])('are refused where others are asked for: they are of %s', async (of, asked) => {
    expect(await read(token, asked)).toEqual({ state: 'foreign', of })
  })

  it('open where only the environment is named', async () => {
    expect(await read(token, { environment: 'staging' })).toMatchObject({ state: 'opened' })
  })

  it('are missing where there is no file', async () => {
    rmSync(path)
    expect(await read()).toEqual({ state: 'missing' })
  })
})
