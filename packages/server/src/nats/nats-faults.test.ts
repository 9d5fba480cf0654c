import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseMark } from '../replica/mark.ts'
import { markKey } from '../replica/nats-subjects.ts'
import { parseSigned } from '../replica/object-name.ts'
import type { Bucket } from './bucket.ts'
import { startNatsServer, natsMissing, type NatsServer } from './testing/nats-server.ts'
import {
  catchUp,
  openNatsWorld,
  publish,
  type NatsWorld,
  type WorldKey,
  type WorldNode,
  type WorldPublisher,
} from './testing/nats-world.ts'

let nats: NatsServer
let world: NatsWorld
let publisher: WorldPublisher
let key: WorldKey

const readiness = async ({ delivery }: WorldNode) => (await delivery.ask('/readyz')).json()

const text = (value: { readonly data: Uint8Array } | undefined) =>
  Buffer.from(value?.data ?? '').toString('utf8')

const storedMark = async (bucket: Bucket) =>
  parseMark(parseSigned(text(await bucket.read(markKey('all'))))?.text ?? '')

describe.skipIf(natsMissing !== '')(`NATS with faults${natsMissing}`, () => {
  beforeAll(async () => {
    nats = await startNatsServer()
  })
  afterAll(() => nats.close())
  beforeEach(async () => {
    world = await openNatsWorld(nats.url)
    key = await world.addKey('b2m')
    publisher = await world.publisher()
    await world.write('light')
    await publish(publisher)
  })
  afterEach(() => world.close())

  it('that is away: a node serves from its own disk, and says how old that is and why', async () => {
    const first = await world.node({ name: 'own' })
    await catchUp(first)
    await first.stop()
    await nats.kill()
    const node = await world.node({ name: 'own' })
    expect(await node.refresh()).toContain('NATS cannot be reached')
    expect(await node.read(key)).toContain('"theme":"light"')
    await expect
      .poll(() => readiness(node))
      .toMatchObject({
        ready: true,
        snapshots: { loadedFrom: 'disk', count: 1 },
        upstream: { ok: false, detail: expect.stringContaining('NATS cannot be reached') },
      })
    const empty = await world.node()
    expect(await empty.refresh()).toContain('NATS cannot be reached')
    expect(await readiness(empty)).toMatchObject({
      ready: false,
      snapshots: { loadedFrom: 'nothing', count: 0, ageSeconds: null },
      upstream: { ok: false, detail: expect.stringContaining('NATS cannot be reached') },
    })
    await nats.start()
    await catchUp(node)
    expect(await readiness(node)).toMatchObject({ snapshots: { loadedFrom: 'upstream' } })
    await catchUp(empty)
    expect(await empty.read(key)).toBe(await node.read(key))
  })

  it('that has lost its data: nodes serve on, and all of it is stored again', async () => {
    const node = await world.node()
    await catchUp(node)
    const before = await publisher.bucket.list()
    await nats.kill()
    await nats.loseData()
    await nats.start()
    await expect.poll(() => node.refresh()).toContain('has no stream')
    expect(await node.read(key)).toContain('"theme":"light"')
    await publish(publisher)
    const after = await publisher.bucket.list()
    expect([...before].filter((each) => !after.has(each))).toEqual([])
    await catchUp(node)
    const fresh = await world.node()
    await catchUp(fresh)
    expect(await fresh.read(key)).toContain('"theme":"light"')
  })

  it('that lacks single values: they are stored again with the next comparison', async () => {
    const lost = [...(await publisher.bucket.list())].filter((each) => each.startsWith('org_'))
    for (const each of lost) await publisher.bucket.remove(each)
    const node = await world.node()
    await expect.poll(() => node.refresh()).toContain('lacks a part')
    const second = await world.publisher()
    await publish(second)
    await catchUp(node)
    expect(await node.read(key)).toContain('"theme":"light"')
  })

  it('with values mixed up or made up: nothing of it is believed, and the next change is', async () => {
    const node = await world.node({ isDeaf: true })
    await catchUp(node)
    const before = await publisher.bucket.list()
    await world.write('blue')
    await publish(publisher)
    const fresh = [...(await publisher.bucket.list())].filter(
      (each) => !before.has(each) && each.startsWith('org_'),
    )
    const values = await Promise.all(fresh.map((each) => publisher.bucket.read(each)))
    const records = fresh
      .map((each, at) => [each, text(values[at])] as const)
      .filter(([, content]) => content.startsWith('{'))
    expect(records).toHaveLength(2)
    const contents = records.map(([, content]) => content)
    for (const [at, [each]] of records.entries()) {
      await publisher.bucket.put(each, contents[1 - at] ?? '')
    }
    const deaf = await world.node({ name: 'other', isDeaf: true })
    await expect.poll(() => deaf.refresh()).toContain('not believed')
    expect(await node.refresh()).toContain('not believed')
    expect(await node.read(key)).toContain('"theme":"light"')
    // Of a mark that nobody has signed, the publisher believes nothing either.
    const { index } = (await storedMark(publisher.bucket)) ?? {}
    const made = { text: `signalbox-mark 1\n9\n9\n${index}\n9`, signatures: 'x' }
    await publisher.bucket.put(markKey('all'), JSON.stringify(made))
    await expect.poll(() => deaf.refresh()).toContain('not believed')
    await world.write('green')
    await publish(publisher)
    await catchUp(node)
    expect(await node.read(key)).toContain('"theme":"green"')
  })

  it('whose database was restored: another epoch begins, nodes take its older versions, and no number comes twice', async () => {
    const node = await world.node()
    const { test } = world.app
    await test.asOwner(`create table kept as select * from server_snapshots;
      create table kept_browser as select * from browser_snapshots;
      create table kept_marks as select * from replica_marks;
      create table kept_heads as select * from current_values`)
    const [before] = await test.asOwner<{ at: string }>(
      'select last_value as at from replica_counter',
    )
    await world.write('blue')
    await publish(publisher)
    await catchUp(node)
    const seen = await storedMark(publisher.bucket)
    const read = async () => /"version":(\d+)/.exec(await node.read(key))?.[1]
    const lost = Number(await read())
    await test.asOwner(`delete from server_snapshots; delete from browser_snapshots; delete from replica_marks;
      insert into server_snapshots select * from kept; insert into browser_snapshots select * from kept_browser;
      insert into replica_marks select * from kept_marks;
      update current_values h set version = k.version, browser_version = k.browser_version from kept_heads k
        where k.schema_id = h.schema_id and k.environment_id = h.environment_id;
      delete from config_versions v using current_values h
        where v.schema_id = h.schema_id and v.environment_id = h.environment_id and v.version > h.version;
      select setval('replica_counter', ${before?.at})`)
    const second = await world.publisher()
    await publish(second)
    const begun = await storedMark(second.bucket)
    expect(begun?.epoch).toBeGreaterThan(seen?.epoch ?? Infinity)
    await catchUp(node)
    expect(await node.read(key)).toContain('"theme":"light"')
    expect(Number(await read())).toBeLessThan(lost)
    await world.write('red')
    await publish(second)
    await catchUp(node)
    expect(await node.read(key)).toContain('"theme":"red"')
    expect(Number(await read())).toBeGreaterThan(lost)
  })

  it('that a publisher stores in late: its mark does not replace the newer one of another', async () => {
    const { promise: held, resolve: hold } = Promise.withResolvers<undefined>()
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>()
    let holdsNext = false
    const slow = await world.publisher({
      alter: (bucket) => ({
        ...bucket,
        async put(name, data, more) {
          if (holdsNext && name === markKey('all')) {
            hold(undefined)
            await released
          }
          await bucket.put(name, data, more)
        },
      }),
    })
    await publish(slow)
    holdsNext = true
    await world.write('older')
    const late = slow.refresh()
    await held
    await world.write('newer')
    await publish(publisher)
    const newest = await storedMark(publisher.bucket)
    release(undefined)
    await late
    expect(await storedMark(publisher.bucket)).toEqual(newest)
    const node = await world.node({ isDeaf: true })
    await catchUp(node)
    expect(await node.read(key)).toContain('"theme":"newer"')
  })

  it('that several publish to at once, with pauses everywhere: nothing goes back', async () => {
    const pause = () => delay(Math.random() * 4)
    const marks: { readonly counter: number; readonly index: string }[] = []
    const texts = new Map<string, string>()
    const options = () => ({
      alter: (bucket: Bucket): Bucket => ({
        ...bucket,
        async read(name) {
          const value = await bucket.read(name)
          await pause()
          return value
        },
        async put(name, data, more) {
          const signed = parseSigned(String(data))
          const mark = signed && parseMark(signed.text)
          if (mark) marks.push(mark)
          else texts.set(name.split('.').at(-1) ?? '', Buffer.from(data).toString('utf8'))
          await bucket.put(name, data, more)
        },
      }),
      alterSource: (source: WorldPublisher['source']) => ({
        ...source,
        async refresh() {
          await source.refresh()
          await pause()
        },
      }),
    })
    const publishers = [await world.publisher(options()), await world.publisher(options())]
    for (const each of publishers) await publish(each)
    const shown: number[] = []
    const state = { isDone: false }
    const watching = (async () => {
      while (!state.isDone) shown.push((await storedMark(publisher.bucket))?.counter ?? 0)
    })()
    const rounds = publishers.map(async (each) => {
      for (let round = 0; round < 15; round += 1) {
        await world.write(`theme ${round} ${Math.random()}`)
        await each.refresh()
      }
    })
    await Promise.all(rounds)
    state.isDone = true
    await watching
    expect(shown).toEqual(shown.toSorted((one, other) => one - other))
    const versions = marks
      .toSorted((one, other) => one.counter - other.counter)
      .map(({ index }) => versionIn(texts, index))
    expect(versions.length).toBeGreaterThan(10)
    expect(versions).toEqual(versions.toSorted((one, other) => one - other))
  })
})

/** Follows an index to the version of the browsers' snapshot that it names. */
function versionIn(texts: ReadonlyMap<string, string>, index: string): number {
  const find = (list: string | undefined, part: string) =>
    list
      ?.split('\n')
      .find((line) => line.includes(part))
      ?.split(' ')[1] ?? ''
  const manifest = texts.get(find(texts.get(index), '.env_'))
  const record = texts.get(find(manifest, '.browser.')) ?? '{"header":""}'
  return Number((JSON.parse(record) as { header: string }).header.split('\n')[6])
}
