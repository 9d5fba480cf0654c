import { mkdtemp, rm } from 'node:fs/promises'
import { connect as connectTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nkeyAuthenticator, nkeys, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Service } from '../../packages/server/src/start/service.ts'
import { findTool } from '../../scripts/tools/find-tool.ts'
import {
  attemptsInbox,
  isRefused,
  listAttempts,
  watchRejections,
} from '../testing/nats/attempts.ts'
import { openSecuredWorld, type SecuredWorld } from '../testing/nats/secured-world.ts'
import { makeTlsFiles } from '../testing/nats/tls-files.ts'
import { until } from '../testing/proof-service.ts'

const [nats, openssl] = [await findTool('nats-server'), await findTool('openssl')]
const missing = [nats, openssl].flatMap((tool) => ('reason' in tool ? [tool.reason] : []))
const skipped = missing.length > 0 ? ` (skipped: ${missing.join(' ')})` : ''
const programs = {
  program: 'path' in nats ? nats.path : '',
  openssl: 'path' in openssl ? openssl.path : '',
}

const bucket = 'signalbox'
const stream = `KV_${bucket}`
const subjectOf = (key: string) => `$KV.${bucket}.${key}`

let world: SecuredWorld
let eu: Service
let us: Service
/** Lists the keys that are stored. */
let keys: readonly string[]

/** Asks for a key as a node does. */
async function get(connection: NatsConnection, key: string): Promise<string> {
  const answer = await connection.request(`$JS.API.DIRECT.GET.${stream}.${subjectOf(key)}`)
  return answer.headers?.code === 404 ? '' : answer.string()
}

async function listKeys(anybody: NatsConnection): Promise<string[]> {
  const body = JSON.stringify({ subjects_filter: '>' })
  const answer = await anybody.request(`$JS.API.STREAM.INFO.${stream}`, body)
  const { state } = answer.json<{ state: { subjects: Record<string, number> } }>()
  return Object.keys(state.subjects).map((subject) => subject.slice(subjectOf('').length))
}

const keyOf = (beginning: string) => keys.find((key) => key.startsWith(`${beginning}.`)) ?? ''

beforeAll(async () => {
  if (missing.length > 0) return
  world = await openSecuredWorld(programs)
  eu = await world.startNode('eu')
  us = await world.startNode('us')
  await until(async () => (await world.ours.read(eu)) === '200 dark', 'a read at eu')
  await until(async () => (await world.theirs.read(us)) === '200 dark', 'a read at us')
  keys = await listKeys(await world.connectAs('anybody', 'anybody'))
})
afterAll(() => world?.close())

describe.skipIf(skipped !== '')(`a user of NATS${skipped}`, () => {
  it('lets a node serve the organizations of its group, and each change of them, and no other organization', async () => {
    const { ours, theirs } = world
    await ours.setTheme('light')
    await expect.poll(() => ours.read(eu)).toBe('200 light')
    expect([await ours.read(us), await theirs.read(eu)]).toEqual(['401', '401'])
    const all = await world.startNode('all')
    await expect.poll(() => ours.read(all)).toBe('200 light')
    await expect.poll(() => theirs.read(all)).toBe('200 dark')
    await all.close()
  })

  it('gets the keys of its group and of the server by direct get', async () => {
    const node = await world.connectAs('eu', 'eu')
    for (const beginning of [world.ours.orgId, '_', '_g.eu'])
      expect(await get(node, keyOf(beginning))).not.toBe('')
  })

  it('reports to the publisher', async () => {
    const publisher = await world.connectAs('publisher', 'publisher')
    const reports = publisher.subscribe(`signalbox.${bucket}.report.*`, { max: 1 })
    await publisher.flush()
    const node = await world.connectAs('eu', 'eu')
    node.publish(`signalbox.${bucket}.report.eu`, 'it is well')
    for await (const report of reports) expect(report.string()).toBe('it is well')
  })

  const attempts = () =>
    listAttempts({
      bucket,
      own: { group: 'eu', orgId: world.ours.orgId, key: keyOf(world.ours.orgId) },
      other: { group: 'us', orgId: world.theirs.orgId, key: keyOf(world.theirs.orgId) },
    })

  it('is refused everything else', async () => {
    const node = watchRejections(await world.connectAs('eu', 'eu'))
    const anybody = await world.connectAs('anybody', 'anybody')
    const before = await get(anybody, keyOf(world.ours.orgId))
    const allowed: string[] = []
    for (const attempt of attempts())
      if (!(await isRefused(node, attempt))) allowed.push(attempt.name)
    expect([attempts().length, allowed]).toEqual([44, []])
    expect(await get(anybody, keyOf(world.ours.orgId))).toBe(before)
  })

  it.each([
    ['without credentials', 'nothing', 'Authorization Violation'],
    ['with a key that nobody has added', 'another key', 'Authorization Violation'],
    ['to a server that another authority vouches for', 'another authority', 'certificate'],
  ])('gets no connection %s', async (_, changed, message) => {
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-authority-'))
    const { ca } = await makeTlsFiles(programs.openssl, folder)
    const changes = {
      nothing: { authenticator: [] },
      'another key': { authenticator: nkeyAuthenticator(nkeys.createUser().getSeed()) },
      'another authority': { tls: { caFile: ca } },
    }[changed]
    await expect(world.connectAs('eu', 'eu', changes)).rejects.toThrow(message)
    await rm(folder, { recursive: true })
  })

  it('gets no connection in plain text', async () => {
    const socket = connectTcp(world.server.port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    socket.write('CONNECT {"verbose":false}\r\nPING\r\n')
    await new Promise((resolve) => socket.once('close', resolve).on('error', () => undefined))
    expect(text).toMatch(/^INFO \{.*"tls_required":true/)
    expect(text).not.toContain('PONG')
  })

  it('is replaced without a gap, and its nodes are cut off once its entry is gone, while others go on', async () => {
    const { ours, theirs } = world
    await world.addUser('eu', 'eu-2')
    const next = await world.startNode('eu', 'eu-2')
    await expect.poll(() => ours.read(next)).toBe('200 light')
    const connection = await world.connectAs('eu', 'eu')
    const other = await world.connectAs('us', 'us')
    await world.removeUser('eu')
    await connection.closed()
    await ours.setTheme('grey')
    await theirs.setTheme('grey')
    await expect.poll(() => ours.read(next)).toBe('200 grey')
    await expect.poll(() => theirs.read(us)).toBe('200 grey')
    await expect
      .poll(async () => (await fetch(`${eu.configUrl}/readyz`)).json())
      .toMatchObject({ upstream: { ok: false } })
    expect(await ours.read(eu)).toBe('200 light')
    expect(await get(other, '_g.us.mark')).not.toBe('')
    // The server may close the connection before its answer is read.
    const refused = /Authorization Violation|EPIPE|ECONNRESET/
    await expect(world.connectAs('eu', 'eu')).rejects.toThrow(refused)
  })

  // The last test: it changes the stream, empties it and deletes it.
  it('control: whoever has no limits may do all of it, and gets answers that are no errors', async () => {
    const anybody = watchRejections(await world.connectAs('anybody', 'anybody'))
    const refused: string[] = []
    const errors: string[] = []
    let answers = 0
    anybody.connection.subscribe(attemptsInbox, {
      callback(_, answer) {
        answers += 1
        if (answer.string().includes('"error":')) errors.push(answer.string())
      },
    })
    for (const attempt of attempts())
      if (await isRefused(anybody, attempt)) refused.push(attempt.name)
    const asked = attempts().filter((attempt) => 'publish' in attempt && attempt.silent !== true)
    await expect.poll(() => answers).toBeGreaterThanOrEqual(asked.length)
    // The stream lets nobody delete a message.
    expect([refused, errors]).toEqual([
      [],
      [expect.stringContaining('message delete not permitted')],
    ])
  })
})
