import { createDecipheriv, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { integrationKinds } from '@signalbox/contract/rest'
import { startSandbox, type Sandbox } from '@signalbox/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { open, seal, sealedVersion, type DataKey } from '../../packages/server/src/crypto/seal.ts'
import {
  registerAt,
  sandboxVariables,
  type ConnectedOrganization,
} from '../../packages/server/src/start/testing/connect-organization.ts'
import {
  differences,
  openBrowserEyes,
  type BrowserEyes,
  type Photograph,
} from '../testing/secrecy/browser-world.ts'
import {
  createCanaries,
  createSweep,
  describeSightings,
  disguises,
  type Canary,
  type Sweep,
} from '../testing/secrecy/canaries.ts'
import { bearer, read, readReplica } from '../testing/http.ts'
import {
  dumpDatabase,
  readDirectory,
  runCommand,
  type SearchedBytes,
} from '../testing/secrecy/searched-bytes.ts'
import { openProofService, until, type ProofService } from '../testing/proof-service.ts'
import { addProviderSecrets, walkProviders } from '../testing/secrecy/provider-secrets.ts'
import { allBytes, createRecorder } from '../testing/secrecy/recorder.ts'
import {
  columns,
  flipBytes,
  makeSealed,
  readBlobs,
  resizeTags,
  sealedText,
  swapBlobs,
  type Attempts,
  type Blob,
  type SealedOrganization,
} from '../testing/secrecy/sealed-blobs.ts'
import {
  createWalk,
  definitionOf,
  lookAround,
  sendRefusedSecrets,
  settle,
  writeSecrets,
  writeThroughAFault,
  type WalkTarget,
  type Walk,
} from '../testing/secrecy/secret-walk.ts'

const canariesMin = 64
const canaries = createCanaries()
const recorder = createRecorder()

let sandbox: Sandbox
let proof: ProofService
let walk: Walk
let place: WalkTarget
let relayKey: Readonly<Record<string, string>>
let organization: ConnectedOrganization
let sealed: readonly SealedOrganization[]

beforeAll(async () => {
  const bootstrapToken = randomBytes(30).toString('base64url')
  sandbox = await startSandbox()
  sandbox.slack.rotation = true
  const env = { ...sandboxVariables(sandbox), SIGNALBOX_LOG_LEVEL: 'debug' }
  proof = await openProofService({ bootstrapToken, env })
  await registerAt(sandbox, proof.current().apiUrl)
  walk = createWalk(proof, canaries, recorder)
  place = await settle(walk)
  await writeSecrets(walk, place)
  await sendRefusedSecrets(walk, place)
  await lookAround(walk, place)
  await writeThroughAFault(walk, place)
  await lookAround(walk, place)
  relayKey = await makeRelayKey()
  organization = await walkProviders(walk, place, sandbox)
  sealed = [await makeSealed(proof, walk.api, 'Sealed'), await makeSealed(proof, walk.api, 'Other')]
})

afterAll(async () => {
  walk?.close()
  await proof?.close()
  await sandbox?.close()
})

/** Makes a key that reads every environment, as a canary, and waits until the delivery knows it. */
async function makeRelayKey(): Promise<Readonly<Record<string, string>>> {
  const { orgId, environments, askers } = place
  const json = { name: 'relay', kind: 'rly', environmentIds: environments.map(({ id }) => id) }
  const path = `POST /organizations/${orgId}/api-keys`
  const made = await walk.call(askers.owner, path, { json, shows: 'credentials' })
  const { secret } = read(made) as { secret: string }
  canaries.add({ kind: 'credential', label: 'relay key', text: secret.slice(-36) })
  const ask = { method: 'GET', path: '/replica/mark', headers: bearer(secret) }
  await until(async () => (await walk.delivery.send(ask)).status === 200, 'the relay key')
  return bearer(secret)
}

/** Returns what a relay is sent: records, listings and the mark. */
async function toRelays(): Promise<SearchedBytes[]> {
  const texts = await readReplica(walk.delivery, relayKey)
  return [...texts].map(([name, bytes]) => ({ name: `replica ${name}`, bytes }))
}

const sweepAll = (sweep: Sweep, places: readonly SearchedBytes[]): string[] =>
  places.flatMap(({ name, bytes }) => describeSightings(name, sweep(bytes)))

const sizeOf = (places: readonly SearchedBytes[]) =>
  places.reduce((sum, { bytes }) => sum + bytes.length, 0)

/** Returns the responses to browsers and to requests without a credential. */
const toBrowsers = (): SearchedBytes[] =>
  recorder.recorded
    .filter(({ audience }) => audience === 'browser' || audience === 'anonymous')
    .filter(({ shows }) => shows === 'nothing')
    .map(({ what, bytes }) => ({ name: what, bytes }))

describe('a secret (S1)', () => {
  it('is in no byte that a browser key or nobody at all is answered, and neither is its name', () => {
    const hidden = canaries.of('value', 'credential', 'name')
    const places = toBrowsers()
    console.log(
      `${hidden.length} canaries in ${Object.keys(disguises).length} disguises; ` +
        `${places.length} answers, ${sizeOf(places)} bytes to browsers and strangers`,
    )
    expect(sweepAll(createSweep(hidden), places)).toEqual([])
    expect(hidden.length).toBeGreaterThan(canariesMin)
    expect(places.filter(({ name }) => name.endsWith('-> 200')).length).toBeGreaterThan(200)
    expect(places.filter(({ name }) => /-> 4\d\d$/.test(name)).length).toBeGreaterThan(200)
  })

  it('is shown to people and servers only where they ask for it; a credential once, where it is made', () => {
    const others = recorder.recorded.filter(
      ({ audience }) => audience === 'person' || audience === 'server',
    )
    const shown = (kind: 'nothing' | 'values') =>
      others.filter(({ shows }) => shows === kind).map(({ what, bytes }) => ({ name: what, bytes }))
    const all = createSweep(canaries.of('value', 'credential'))
    expect(sweepAll(all, shown('nothing'))).toEqual([])
    expect(sweepAll(createSweep(canaries.of('credential')), shown('values'))).toEqual([])
    // Every kind of a provider's secret was there to be seen, and was renewed; and providers failed.
    const labels = canaries.all.map(({ label }) => label)
    expect(labels).toEqual(
      expect.arrayContaining([
        'refresh_token of jira',
        'refresh_token of slack',
        'authorization of github',
      ]),
    )
    expect(labels.filter((label) => label === 'authorization of jira').length).toBeGreaterThan(1)
    expect(others.filter(({ what }) => what.endsWith('-> 424')).length).toBeGreaterThan(3)
  })

  it('is in no byte that a relay is sent', async () => {
    const places = await toRelays()
    console.log(`${places.length} texts, ${sizeOf(places)} bytes to relays`)
    expect(sweepAll(createSweep(canaries.of('value', 'credential')), places)).toEqual([])
    // Of each environment a record for browsers and one for servers, and its manifest.
    expect(places.length).toBeGreaterThan(place.environments.length * 3)
  })

  it('is neither in the log nor in what the commands print and export', async () => {
    const file = join(proof.dataDir, 'export.signalbox')
    const printed = [
      { name: 'export', bytes: await runCommand(proof, 'export', file) },
      { name: 'env', bytes: await runCommand(proof, 'env') },
      { name: 'env --json', bytes: await runCommand(proof, 'env', '--json') },
      { name: 'verify-audit', bytes: await runCommand(proof, 'verify-audit') },
      { name: 'the export', bytes: gunzipSync(await readFile(file)) },
    ]
    // The setup link is printed for whoever starts the service, and works once.
    const log = { name: 'the log', bytes: Buffer.from(proof.current().output()) }
    const inLog = canaries.of('value', 'credential').filter(({ label }) => label !== 'setup token')
    console.log(`${log.bytes.length} bytes of log, ${sizeOf(printed)} bytes printed and exported`)
    expect(sweepAll(createSweep(inLog), [log])).toEqual([])
    expect(sweepAll(createSweep(canaries.of('value', 'credential')), printed)).toEqual([])
  })

  it('is nowhere in the database nor on the disk', async () => {
    const sweep = createSweep(canaries.of('value', 'credential'))
    const tables = await dumpDatabase(proof)
    await proof.asOwner('checkpoint')
    const files = await readDirectory(proof.dataDir, ['root.key'])
    console.log(
      `${tables.length} tables, ${files.length} files, ${sizeOf(files)} bytes on the disk`,
    )
    expect(sweepAll(sweep, tables)).toEqual([])
    expect(sweepAll(sweep, files)).toEqual([])
  })
})

describe('control: the sweep', () => {
  it('sees a canary in every disguise, wherever it stands', () => {
    const [planted] = canaries.of('value')
    if (planted === undefined) throw new Error('There is no canary')
    const sweep = createSweep(canaries.all)
    for (const [name, encode] of Object.entries(disguises)) {
      for (const before of ['', '{"message":"', 'x'.repeat(1_001)]) {
        const line = Buffer.concat([Buffer.from(before), encode(planted.text), Buffer.from('"}\n')])
        const seen = sweep(line).filter(({ label }) => label === planted.label)
        expect(seen.map(({ disguise }) => disguise)).toContain(name)
      }
    }
    for (const offset of [0, 1, 2]) {
      const text = Buffer.from(`${'y'.repeat(offset)}${planted.text}zz`).toString('base64')
      expect(sweep(Buffer.from(text)).map(({ label }) => label)).toContain(planted.label)
    }
  })

  it('sees a value that is not secret everywhere that it did not see secrets', async () => {
    const planted: Canary = { kind: 'value', label: 'planted', text: 'PublicCanary0123456789abc' }
    const { orgId, schemaId, environments, askers } = place
    const environmentId = environments[0]?.id
    const json = { schemaId, environmentId, values: { greeting: planted.text } }
    read(await walk.call(askers.server, `PUT /organizations/${orgId}/config-values`, { json }))
    const sweep = createSweep([planted])
    const path = `GET /snapshots/${schemaId}/${environmentId}`
    const seen = async () => {
      const { bytes } = await walk.call(askers.browser, path)
      return sweep(bytes).length > 0
    }
    await until(seen, 'the value at the delivery')
    await until(async () => sweepAll(sweep, await toRelays()).length > 0, 'the value at the relays')
    const file = join(proof.dataDir, 'control.signalbox')
    await runCommand(proof, 'export', file)
    expect(sweep(gunzipSync(await readFile(file)))).not.toEqual([])
    const tables = sweepAll(sweep, await dumpDatabase(proof))
    expect(tables.map((line) => line.split(':')[0])).toEqual(
      expect.arrayContaining(['table public.current_values', 'table public.browser_snapshots']),
    )
    await proof.asOwner('checkpoint')
    const files = sweepAll(sweep, await readDirectory(proof.dataDir, ['root.key']))
    expect(files.join('\n')).toMatch(/file postgres\/base\//)
    expect(files.join('\n')).toMatch(/file postgres\/pg_wal\//)
    expect(files.join('\n')).toMatch(/file delivery\//)
  })
})

describe('a change of secrets alone (S1)', () => {
  let eyes: BrowserEyes
  let before: Photograph

  beforeAll(async () => {
    const { apiUrl, configUrl } = proof.current()
    const ports = [apiUrl, configUrl].map((url) => Number(new URL(url).port))
    const { api, delivery } = walk
    eyes = await openBrowserEyes(place, { api, delivery }, ports)
    await Promise.all(eyes.streams().map((stream) => stream.until(/event: config/)))
    before = await eyes.photograph()
  })

  afterAll(() => eyes?.close())

  /** Waits until the delivery serves the version that the API has. */
  async function delivered(): Promise<void> {
    const { orgId, schemaId, environments, askers } = place
    for (const { id } of environments) {
      const pair = `schemaId=${schemaId}&environmentId=${id}`
      const path = `GET /organizations/${orgId}/config-values?${pair}`
      const { version } = read(await walk.call(askers.server, path, { shows: 'values' })) as Version
      const isThere = async () => {
        const snapshot = `GET /snapshots/${schemaId}/${id}`
        const answer = await walk.call(askers.server, snapshot, { shows: 'values' })
        return (read(answer) as Version).version >= version
      }
      await until(isThere, `version ${version} at the delivery`)
    }
  }

  interface Version {
    readonly version: number
  }

  it('leaves every byte, header and event of the browsers as it was', async () => {
    const { orgId, schemaId, environments, secretKeys, askers } = place
    const root = `/organizations/${orgId}`
    const [one, two] = environments
    const [first = '', second = '', third = ''] = secretKeys
    const secret = (label: string) => canaries.make('value', label)
    const pair = `schemaId=${schemaId}&environmentId=${one?.id}`
    const versions = async () =>
      (read(await walk.call(askers.server, `GET ${root}/config-versions?${pair}`)) as Versions)
        .items
    const set = (values: object) =>
      walk.call(askers.server, `PUT ${root}/config-values`, {
        json: { schemaId, environmentId: one?.id, values },
        shows: 'values',
      })
    const definition = definitionOf({ secretKeys: [...secretKeys, 'addedSecret'] }, canaries)
    const steps: readonly [string, () => Promise<unknown>][] = [
      ['set', () => set({ [first]: secret('changed'), [second]: secret('changed too') })],
      ['set a longer one', () => set({ [first]: secret('longer').repeat(500) })],
      [
        'delete',
        () => walk.call(askers.server, `DELETE ${root}/config-values?${pair}&key=${third}`),
      ],
      [
        'promote',
        () =>
          walk.call(askers.server, `POST ${root}/config-values/promote`, {
            json: {
              schemaId,
              fromEnvironmentId: one?.id,
              toEnvironmentId: two?.id,
              keys: [first, second],
            },
          }),
      ],
      [
        'restore',
        async () => {
          const [, older] = await versions()
          return walk.call(askers.server, `POST ${root}/config-versions/${older?.id}/restore`, {
            json: {},
          })
        },
      ],
      [
        'add a secret key and change the defaults',
        () =>
          walk.call(askers.owner, `PUT ${root}/config-schemas/${schemaId}`, {
            json: { schema: definition, force: true },
          }),
      ],
    ]
    for (const [name, step] of steps) {
      const [newest] = await versions()
      expect([name, Reflect.get(Object(await step()), 'status')]).toEqual([
        name,
        expect.toSatisfy((status: number) => status === 200 || status === 201),
      ])
      const [made] = await versions()
      expect([name, made?.id === newest?.id]).toEqual([name, name === 'promote'])
      await delivered()
      expect([name, differences(before, await eyes.photograph())]).toEqual([name, []])
    }
  })

  interface Versions {
    readonly items: readonly { readonly id: string }[]
  }

  it('control: a change of a public value is seen in answers and events', async () => {
    const { orgId, schemaId, environments, askers } = place
    const json = { schemaId, environmentId: environments[0]?.id, values: { greeting: 'changed' } }
    read(
      await walk.call(askers.server, `PUT /organizations/${orgId}/config-values`, {
        json,
        shows: 'values',
      }),
    )
    await delivered()
    const seen = differences(before, await eyes.photograph())
    expect(seen.filter((line) => line.startsWith('stream')).length).toBe(2)
    expect(seen.filter((line) => line.startsWith('delivery')).length).toBeGreaterThan(3)
    expect(seen.filter((line) => line.startsWith('api')).length).toBeGreaterThan(3)
  })
})

describe('a value that becomes a secret (S1)', () => {
  const asBrowser = async (environmentId: string | undefined): Promise<SearchedBytes[]> => {
    const { schemaId, askers } = place
    const paths = ['', ...Array.from({ length: 60 }, (_, i) => `/${i + 1}`)]
    const places: SearchedBytes[] = []
    for (const path of paths) {
      const request = `GET /snapshots/${schemaId}/${environmentId}${path}`
      places.push({ name: request, bytes: allBytes(await walk.call(askers.browser, request)) })
    }
    return places
  }
  const onDisk = () => readDirectory(join(proof.dataDir, 'delivery'))

  const secretText = { type: 'string', tier: 'secret' }

  it('is taken out of every version that shows it; control: before, it was in all those places', async () => {
    const { orgId, schemaId, environments, secretKeys, askers } = place
    const root = `/organizations/${orgId}`
    const [one = '', two = ''] = environments.map(({ id }) => id)
    const label = 'that was public'
    const value = canaries.make('value', `${label}, set`)
    const unset = canaries.make('value', `${label}, set and unset`)
    const byDefault = canaries.make('value', `${label}, by default`)
    const sweep = createSweep(canaries.all.filter((canary) => canary.label.startsWith(label)))
    const seen = async (places: Promise<SearchedBytes[]>) => sweepAll(sweep, await places)
    const asBrowsers = async () => [...(await asBrowser(one)), ...(await asBrowser(two))]
    const replace = (definition: object) =>
      walk.call(askers.owner, `PUT ${root}/config-schemas/${schemaId}`, {
        json: { schema: definition, force: true },
      })
    const set = (environmentId: string, greeting: string) =>
      walk.call(askers.server, `PUT ${root}/config-values`, {
        json: { schemaId, environmentId, values: { greeting } },
        shows: 'values',
      })
    const open = definitionOf({ secretKeys }, canaries)
    const motto = { type: 'string', tier: 'public', default: byDefault }
    read(await replace({ ...open, motto }))
    read(await set(one, value))
    read(await set(two, unset))
    const found = async (places: Promise<SearchedBytes[]>) =>
      new Set((await seen(places)).map((line) => line.replace(/.*: value/, ''))).size
    await until(async () => (await found(asBrowsers())) === 3, 'the values at the delivery')
    // Of versions that follow each other within a second the disk gets the last.
    await until(async () => (await found(onDisk())) === 3, 'the values on the disk')
    read(await set(two, 'nothing'))
    expect(await found(dumpDatabase(proof))).toBe(3)

    read(await replace({ ...open, greeting: secretText, motto: secretText }))
    expect(await seen(dumpDatabase(proof))).toEqual([])
    await until(async () => (await found(asBrowsers())) === 0, 'their end at the delivery')
    await until(async () => (await found(onDisk())) === 0, 'their end on the disk')
  })
})

describe('what opens a provider (S1)', () => {
  it('is in no answer, log or row after a disconnection', async () => {
    for (const kind of integrationKinds) await organization.ask(`DELETE /integrations/${kind}`)
    addProviderSecrets(canaries, sandbox)
    const sweep = createSweep(
      canaries.of('credential').filter(({ label }) => label !== 'setup token'),
    )
    const answers = recorder.recorded.filter(({ shows }) => shows === 'nothing')
    const log = { name: 'the log', bytes: Buffer.from(proof.current().output()) }
    const places = answers.map(({ what, bytes }) => ({ name: what, bytes }))
    expect(sweepAll(sweep, [...places, log, ...(await dumpDatabase(proof))])).toEqual([])
  })

  it('control: a token that is written into a row is seen there and in the answer that shows it', async () => {
    const token = canaries.all.filter(({ label }) => label === 'authorization of slack').slice(0, 1)
    const sweep = createSweep(token)
    await proof.asOwner('update repositories set full_name = $1', [`note ${token[0]?.text}`])
    const tables = sweepAll(sweep, await dumpDatabase(proof)).map((line) => line.split(':')[0])
    expect(tables).toContain('table public.repositories')
    const answer = await walk.call(
      place.askers.bootstrap,
      `GET /organizations/${place.orgId}/deployments`,
    )
    const seen = sweep(allBytes(answer)).map(({ label }) => label)
    expect(seen).toContain('authorization of slack')
  })
})

function report(what: string, { count, opened }: Attempts): void {
  console.log(`${what}: ${count} attempts, ${opened.length} opened`)
}

describe('what is sealed in the database (S8)', () => {
  let blobs: Blob[]
  let keys: ReadonlyMap<string, readonly DataKey[]>
  beforeAll(async () => {
    ;({ blobs, keys } = await readBlobs(
      proof,
      sealed.map(({ orgId }) => orgId),
    ))
  })

  /** The blobs whose content is known: all but the wrapped data keys. */
  const values = () => blobs.filter(({ column }) => column !== 'data_keys.wrapped')

  it('opens in its place: every value of every column, under two data keys in two organizations', () => {
    const counts = columns.map((column) => {
      const some = blobs.filter((blob) => blob.column === column)
      expect(some.length).toBeGreaterThanOrEqual(4)
      for (const blob of some) expect(() => blob.open(blob.bytes)).not.toThrow()
      return `${some.length} of ${column}`
    })
    console.log(`sealed values: ${blobs.length} (${counts.join(', ')})`)
    const texts = values().map((blob) => blob.open(blob.bytes).toString())
    expect(texts).toContain(JSON.stringify(`${sealedText} 2`))
    expect(texts).toContain(JSON.stringify(`${sealedText} default`))
    expect(new Set(values().map(({ bytes }) => sealedVersion(bytes)))).toEqual(new Set([1, 2]))
    for (const { bytes } of blobs) expect(bytes.includes(sealedText)).toBe(false)
  })

  it('uses no nonce twice', () => {
    const sealed = new Map(values().map(({ bytes }) => [bytes.toString('base64'), bytes]))
    const nonces = new Set([...sealed.values()].map((bytes) => bytes.toString('hex', 5, 17)))
    console.log(`nonces: ${nonces.size} of ${sealed.size} different seals`)
    expect(nonces.size).toBe(sealed.size)
  })

  it('is refused when any byte of it differs', () => {
    const flips = flipBytes(blobs)
    report('changed bytes', flips)
    expect(flips.opened).toEqual([])
    expect(flips.count).toBe(2 * blobs.reduce((sum, { bytes }) => sum + bytes.length, 0))
  })

  it('is refused in every other place: row, column, key or organization', () => {
    const swaps = swapBlobs(blobs)
    report('other places', swaps)
    expect(swaps.opened).toEqual([])
    expect(swaps.count).toBeGreaterThan(10_000)
    // One attack remains for anybody who can write to the database: to restore a former value of a key.
    const sharing = blobs.length ** 2 - blobs.length - swaps.count
    console.log(`pairs of former and present values of one key, which share a place: ${sharing}`)
  })

  it('is refused with a tag that is shorter or longer', () => {
    const cuts = resizeTags(blobs)
    report('other lengths of the tag', cuts)
    expect(cuts.opened).toEqual([])
    expect(cuts.count).toBe(17 * blobs.length)
  })

  it('is not served by the service when somebody exchanged two values in the database', async () => {
    const { orgId, place } = values().find(({ column }) => column === columns[0]) ?? {}
    const [, , schemaId = '', environmentId = ''] = place?.split('|') ?? []
    const client = walk.api
    const search = `schemaId=${schemaId}&environmentId=${environmentId}`
    const path = `/organizations/${orgId}/config-values?${search}`
    const headers = bearer(sealed.find((one) => one.orgId === orgId)?.serverKey ?? '')
    const before = await client.send({ method: 'GET', path, headers })
    expect(before.status).toBe(200)
    expect(before.bytes.toString()).toContain(sealedText)
    // The same key of the same schema, in another environment.
    await proof.asOwner(
      `update current_values h set secret_values = jsonb_set(h.secret_values::jsonb, '{keys,stripeKey,0}',
        (select o.secret_values::jsonb #> '{keys,stripeKey,0}' from current_values o
          where o.org_id = h.org_id and o.schema_id = h.schema_id and o.environment_id <> h.environment_id
          limit 1))::json
        where org_id = $1 and schema_id = $2 and environment_id = $3`,
      [orgId, schemaId, environmentId],
    )
    const after = await client.send({ method: 'GET', path, headers })
    console.log(`after an exchange in the database: ${after.status} ${after.bytes.toString()}`)
    expect(after.status).toBe(500)
    expect(after.bytes.toString()).not.toContain(sealedText)
  })

  it('control: without the place in the seal, values open in other places of their organization', () => {
    const sealedPlain = values().map((blob): Blob => {
      const ring = keys.get(blob.orgId) ?? []
      const key = ring.find(({ version }) => version === sealedVersion(blob.bytes))
      if (key === undefined) throw new Error('A value is sealed with a key that is not stored')
      return {
        ...blob,
        bytes: seal(key, '', blob.open(blob.bytes)),
        open: (bytes) => open(ring, '', bytes),
      }
    })
    const swaps = swapBlobs(sealedPlain)
    report('control without places', swaps)
    expect(swaps.opened.length).toBeGreaterThan(swaps.count / 3)
  })

  it('control: without a fixed length of the tag, four bytes of it are enough', () => {
    const attempts: Attempts = { count: 0, opened: [] }
    for (const { orgId, place, bytes } of values()) {
      const version = sealedVersion(bytes)
      const key = keys.get(orgId)?.find((key) => key.version === version)
      if (key === undefined) continue
      const nonce = bytes.subarray(5, 17)
      const openShort = (options?: { authTagLength: number }) => {
        const decipher = createDecipheriv('aes-256-gcm', key.key, nonce, options)
        decipher.setAAD(Buffer.from(`1|${version}|${place}`))
        decipher.setAuthTag(bytes.subarray(-16, -12))
        return Buffer.concat([decipher.update(bytes.subarray(17, -16)), decipher.final()])
      }
      attempts.count++
      if (openShort({ authTagLength: 4 }).length > 0) attempts.opened.push(place)
      expect(() => openShort({ authTagLength: 16 })).toThrow('Invalid authentication tag length')
    }
    report('control with tags of 4 bytes', attempts)
    expect(attempts.opened).toHaveLength(attempts.count)
  })
})
