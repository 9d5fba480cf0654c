import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { generateRootKey, type RootKey } from '../../crypto/root-key.ts'
import { silentLog, type Log } from '../../telemetry/log.ts'
import { createDiskCache } from './disk-cache.ts'
import { snapshotKeyOf } from '../cache/published.ts'
import { createFakePublisher, type FakePublisher } from '../testing/fake-publisher.ts'
import {
  openTestDelivery,
  testSnapshot,
  snapshotPath,
  type TestDelivery,
  type TestDeliveryOptions,
} from '../testing/test-delivery.ts'

let dataDir: string
let rootKey: RootKey
let publisher: FakePublisher
const open: TestDelivery[] = []

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'signalbox-disk-'))
  rootKey = generateRootKey()
  publisher = createFakePublisher(rootKey)
})

afterEach(async () => {
  for (const delivery of open.splice(0)) await delivery.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Starts a node on the same data directory. */
async function start(options: TestDeliveryOptions = {}): Promise<TestDelivery> {
  const delivery = await openTestDelivery({ publisher, rootKey, dataDir, ...options })
  open.push(delivery)
  return delivery
}

async function stop(delivery: TestDelivery): Promise<void> {
  await delivery.stop()
  open.splice(open.indexOf(delivery), 1)
}

const values = {
  public: { apiUrl: 'https://api.example.com' },
  featureFlags: { newCheckout: true },
  secret: { stripeKey: 'sk_live_51Canary4242' },
} as const

const organizations = [{ id: testSnapshot.orgId, slug: 'acme', name: 'Acme', deletedAt: null }]

/** Publishes a version and waits until the disk has it too: of several within a second it takes the newest. */
async function publishToDisk(node: TestDelivery, values: Parameters<TestDelivery['publish']>[0]) {
  await node.publish(values)
  await node.delivery.flush()
}

/** A node that has seen an organization, two keys and two versions, and was stopped. */
async function prepare() {
  const first = await start()
  first.delivery.keyCache.apply({ organizations, keys: [], secrets: [], signingKeys: [] })
  const browser = first.addKey('b2m')
  const server = first.addKey('m2m')
  await publishToDisk(first, { ...values, featureFlags: { newCheckout: false } })
  await publishToDisk(first, values)
  const accessToken = await first.issueAccessToken(server)
  await stop(first)
  return { browser, server, accessToken }
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
}

describe('a node whose database is down', () => {
  it('restarts from its disk and serves both audiences: snapshots, versions, names, tokens', async () => {
    const { browser, server, accessToken } = await prepare()
    publisher.setAway(true)
    const node = await start()
    expect((await node.ask('/readyz')).json()).toMatchObject({
      ready: true,
      snapshots: { loadedFrom: 'disk', count: 1 },
    })
    expect((await node.ask(snapshotPath, browser)).json()).toMatchObject({ version: 2 })
    expect((await node.ask(`${snapshotPath}/1`, browser)).json()).toMatchObject({ version: 1 })
    expect((await node.ask(snapshotPath, server)).json()).toMatchObject({ secret: values.secret })
    expect((await node.ask(`${snapshotPath}/1`, server)).json()).toMatchObject({ version: 1 })
    const flat = '/organizations/acme/config/values?environment=production'
    expect((await node.ask(flat, browser)).status).toBe(200)
    const headers = { authorization: `Bearer ${accessToken}` }
    expect((await node.ask(snapshotPath, { headers })).status).toBe(200)
    const stream = await node.stream(`${snapshotPath}/stream`, browser.headers)
    await stream.until(/id: 2\n/)
    stream.close()
  })

  it('serves browsers and is sealed for servers without the root key', async () => {
    const { browser, server } = await prepare()
    publisher.setAway(true)
    const node = await start({ rootKeys: [] })
    expect((await node.ask(snapshotPath, browser)).status).toBe(200)
    expect((await node.ask(snapshotPath, server)).json()).toMatchObject({ code: 'sealed' })
    const another = await start({ rootKeys: [generateRootKey()] })
    expect((await another.ask(snapshotPath, server)).json()).toMatchObject({ code: 'sealed' })
  })

  it('catches up when the database comes back', async () => {
    const { browser } = await prepare()
    publisher.setAway(true)
    const node = await start()
    publisher.publishBrowser({ ...testSnapshot, public: { caught: 'up' } })
    publisher.setAway(false)
    publisher.announce()
    await expect
      .poll(async () => (await node.ask(snapshotPath, browser)).json())
      .toMatchObject({ version: 3, public: { caught: 'up' } })
  })

  it('does not serve again what was revoked or deleted before it stopped', async () => {
    const { browser, server } = await prepare()
    const second = await start()
    second.changeKey(browser.key, { revokedAt: '2026-11-21T06:00:00.000Z' })
    publisher.remove(testSnapshot)
    await second.delivery.refresh()
    await stop(second)
    publisher.setAway(true)
    const third = await start()
    expect((await third.ask(snapshotPath, browser)).status).toBe(401)
    expect((await third.ask(snapshotPath, server)).status).toBe(404)
    expect(
      (await filesIn(join(dataDir, 'delivery'))).filter((file) => file.includes('sch_')),
    ).toEqual([])
  })
})

describe('the age of the snapshots that a node serves from its disk', () => {
  const ageOf = async (node: TestDelivery) => {
    const answer = (await node.ask('/readyz')).json()
    return (answer as { snapshots: { ageSeconds: number | null } }).snapshots.ageSeconds
  }

  it('counts from when the disk was last known to equal the database', async () => {
    const first = await start()
    await first.publish(values)
    first.pass(30_000)
    await first.delivery.refresh()
    publisher.setAway(true)
    first.pass(600_000)
    await stop(first)
    const node = await start()
    node.pass(90_000)
    expect(await ageOf(node)).toBe(60)
    await stop(node)
    const another = await start()
    another.pass(120_000)
    expect(await ageOf(another)).toBe(90)
    publisher.setAway(false)
    await another.delivery.refresh()
    expect(await ageOf(another)).toBe(0)
  })

  it('is known after a crash', async () => {
    const first = await start()
    await first.publish(values)
    const directory = join(dataDir, 'delivery')
    await expect
      .poll(() => filesIn(directory), { timeout: 10_000 })
      .toContain(join(directory, 'as-of.json'))
    publisher.setAway(true)
    const node = await start()
    node.pass(90_000)
    expect(await ageOf(node)).toBe(90)
  })

  it('is unknown when it was not saved, and the node still serves', async () => {
    await prepare()
    publisher.setAway(true)
    await rm(join(dataDir, 'delivery', 'as-of.json'))
    const node = await start()
    expect(await ageOf(node)).toBeNull()
    expect((await node.ask('/readyz')).status).toBe(200)
  })

  it('does not restart while a file cannot be saved', async () => {
    const disk = createDiskCache({ dataDir, log: silentLog })
    await disk.load()
    const [before, after] = [new Date('2026-11-21T06:00:00Z'), new Date('2026-11-21T06:01:00Z')]
    await disk.saveAsOf(before)
    const blocked = join(dataDir, 'delivery', 'browser', testSnapshot.schemaId)
    await writeFile(blocked, '')
    const row = publisher.publishBrowser({ ...testSnapshot, ...values })
    disk.browser.keep(row)
    await disk.saveAsOf(after)
    expect((await disk.load()).asOf).toEqual(before)
    await rm(blocked)
    disk.browser.keep(row)
    await disk.saveAsOf(after)
    expect((await disk.load()).asOf).toEqual(after)
  })
})

describe('a file that cannot be written', () => {
  it('is written once that is possible again, with what has changed meanwhile', async () => {
    const disk = createDiskCache({ dataDir, log: silentLog })
    await disk.load()
    const blocked = join(dataDir, 'delivery', 'browser', testSnapshot.schemaId)
    await writeFile(blocked, '')
    disk.browser.keep(publisher.publishBrowser({ ...testSnapshot, public: { step: 1 } }))
    await disk.flush()
    expect(disk.hasFailed()).toBe(true)
    disk.browser.keep(publisher.publishBrowser({ ...testSnapshot, public: { step: 2 } }))
    disk.browser.forgetBefore(snapshotKeyOf(testSnapshot), 2)
    await disk.flush()
    expect(disk.hasFailed()).toBe(true)
    await rm(blocked)
    await expect.poll(() => disk.hasFailed(), { timeout: 30_000 }).toBe(false)
    expect((await disk.load()).browser.map(({ version }) => version)).toEqual([2])
  })

  it('is noticed within a minute also where nothing is published', async () => {
    const disk = createDiskCache({ dataDir, log: silentLog })
    await disk.load()
    const blocked = join(dataDir, 'delivery', 'as-of.json')
    await mkdir(blocked)
    await disk.saveAsOf(new Date('2026-11-21T06:00:00Z'))
    expect(disk.hasFailed()).toBe(true)
    await rm(blocked, { recursive: true })
    await expect.poll(() => disk.hasFailed(), { timeout: 30_000 }).toBe(false)
  })
})

describe('the disk', () => {
  it('holds no secret and no key in the clear, and is closed to other users', async () => {
    const { browser, server } = await prepare()
    const directory = join(dataDir, 'delivery')
    const secrets = [values.secret.stripeKey, browser.token, server.token]
    const patterns = secrets.flatMap(spellings)
    const find = async () => {
      const matches = []
      for (const file of await filesIn(directory)) {
        const content = (await readFile(file)).toString('latin1')
        matches.push(...patterns.filter((pattern) => content.includes(pattern)))
      }
      return matches
    }
    expect(await find()).toEqual([])
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
    for (const file of await filesIn(directory)) {
      expect([file, (await stat(file)).mode & 0o777]).toEqual([file, 0o600])
    }
    // Control: the same search finds what is there.
    const planted = join(directory, 'planted')
    await writeFile(planted, Buffer.from(`xy${values.secret.stripeKey}`).toString('base64'))
    expect(await find()).not.toEqual([])
  })

  it('keeps the last twenty versions of a snapshot', async () => {
    const node = await start()
    for (let version = 1; version <= 25; version += 1)
      await publishToDisk(node, { public: { version } })
    await stop(node)
    const names = await readdir(
      join(dataDir, 'delivery/browser', testSnapshot.schemaId, testSnapshot.environmentId),
    )
    expect(names.map((name) => Number.parseInt(name, 10)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 6),
    )
  })

  it('gets the newest version within a second, however much is published', async () => {
    const node = await start()
    await publishToDisk(node, { public: { version: 1 } })
    for (let version = 2; version <= 50; version += 1) await node.publish({ public: { version } })
    await node.delivery.flush()
    const names = await filesIn(join(dataDir, 'delivery/browser'))
    expect(names.map((name) => basename(name))).toEqual(['50.json'])
  })

  it('forgets versions that show a later secret, even unwritten ones', async () => {
    const node = await start()
    node.delivery.keyCache.apply({ organizations, keys: [], secrets: [], signingKeys: [] })
    const browser = node.addKey('b2m')
    await publishToDisk(node, { public: { apiUrl: 'https://api.example.com' } })
    await node.publish({ public: { apiUrl: 'https://api.example.org' } })
    publisher.publishBrowser({ ...testSnapshot, public: {} })
    publisher.forgetBefore(testSnapshot, 3)
    await node.delivery.refresh()
    publisher.setAway(true)
    expect((await node.ask(`${snapshotPath}/2`, browser)).status).toBe(404)
    await stop(node)
    const names = await filesIn(join(dataDir, 'delivery/browser'))
    expect(names.map((name) => basename(name))).toEqual(['3.json'])
  })

  it('may be damaged: the version before is served, and the lost one read again', async () => {
    const { browser } = await prepare()
    const directory = join(
      dataDir,
      'delivery/browser',
      testSnapshot.schemaId,
      testSnapshot.environmentId,
    )
    await truncate(join(directory, '2.json'), 100)
    await writeFile(join(directory, '3.json.part'), 'cut off')
    await writeFile(join(dataDir, 'delivery/data-keys.json'), 'junk')
    publisher.setAway(true)
    const warned: string[] = []
    const node = await start({ log: recording(warned) })
    expect((await node.ask(snapshotPath, browser)).json()).toMatchObject({ version: 1 })
    expect(warned.join('\n')).toMatch(/Removed a damaged snapshot from the disk cache/)
    expect(warned.join('\n')).toMatch(/Skipped a damaged file in the disk cache/)
    publisher.setAway(false)
    publisher.announce()
    await expect
      .poll(async () => (await node.ask(snapshotPath, browser)).json())
      .toMatchObject({ version: 2 })
    await stop(node)
    publisher.setAway(true)
    const next = await start()
    expect((await next.ask(snapshotPath, browser)).json()).toMatchObject({ version: 2 })
  })

  it('never serves altered content', async () => {
    const { browser } = await prepare()
    const file = join(
      dataDir,
      'delivery/browser',
      testSnapshot.schemaId,
      testSnapshot.environmentId,
      '2.json',
    )
    const content = await readFile(file, 'utf8')
    await writeFile(file, content.replace('api.example.com', 'evil.example.co'))
    publisher.setAway(true)
    const node = await start()
    expect((await node.ask(snapshotPath, browser)).json()).toMatchObject({ version: 1 })
  })

  it('may be missing or unwritable, and the node still serves', async () => {
    await writeFile(join(dataDir, 'delivery'), 'a file where the directory should be')
    const node = await start()
    node.delivery.keyCache.apply({ organizations, keys: [], secrets: [], signingKeys: [] })
    const browser = node.addKey('b2m')
    await node.publish(values)
    expect((await node.ask(snapshotPath, browser)).status).toBe(200)
  })

  it('stays removed when it is deleted under a running node, which still serves and stops', async () => {
    const { browser } = await prepare()
    const node = await start()
    await rm(dataDir, { recursive: true })
    await publishToDisk(node, { public: { apiUrl: 'https://api.example.org' } })
    expect((await node.ask(snapshotPath, browser)).json()).toMatchObject({ version: 3 })
    await stop(node)
    await expect(stat(dataDir)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('is filled again when only its contents were deleted', async () => {
    const node = await start()
    const directory = join(dataDir, 'delivery/browser')
    await publishToDisk(node, values)
    await rm(directory, { recursive: true })
    await publishToDisk(node, values)
    const names = await filesIn(directory)
    expect(names.map((name) => basename(name))).toEqual(['2.json'])
  })

  it('follows a database that was restored to an earlier state', async () => {
    const { browser } = await prepare()
    const node = await start()
    await node.delivery.refresh()
    publisher.beginAgain()
    publisher.publishBrowser({ ...testSnapshot, public: { restored: true } })
    await node.delivery.refresh()
    const answer = await node.ask(snapshotPath, browser)
    expect(answer.json()).toMatchObject({ version: 1, public: { restored: true } })
    await stop(node)
    publisher.setAway(true)
    const next = await start()
    expect((await next.ask(snapshotPath, browser)).json()).toMatchObject({ version: 1 })
  })
})

/** A secret as it is, and as it would look in base64 at each offset, in hex and backwards. */
function spellings(secret: string): string[] {
  const base64 = ['', 'x', 'xy'].map((before) =>
    Buffer.from(before + secret)
      .toString('base64')
      .replaceAll('=', '')
      .slice(before.length === 0 ? 0 : 4, -4),
  )
  const reversed = secret.split('').toReversed().join('')
  return [secret, Buffer.from(secret).toString('hex'), reversed, ...base64]
}

function recording(lines: string[]): Log {
  const write = (message: string) => void lines.push(message)
  return { debug: write, info: write, warn: write, error: write }
}
