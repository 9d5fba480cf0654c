// P7: configuration writes by 16 writers, beside transactions by hand that insert the same rows on the same PostgreSQL.
import { randomBytes } from 'node:crypto'
import { Agent, request, setGlobalDispatcher } from 'undici'
import { join } from 'node:path'
import pg from 'pg'
import { startService, type ServiceProcess } from '../e2e/start-service.ts'
import { benchSettings, openOwnPostgres, type OwnPostgres } from './own-postgres.ts'
import { compete, measureProcesses, medians, ratios, reach, renderRatio } from './compete.ts'
import { summarize, type LoadResult } from './load.ts'
import { recordResult } from './record.ts'

const writers = 16
/** Example: `node … bench/config-write.ts 2 1` for a look. */
const rounds = Number(process.argv[2] ?? 9)
const seconds = Number(process.argv[3] ?? 2)
const keys = 50

setGlobalDispatcher(new Agent({ connections: writers, pipelining: 1 }))

/** Numbers all writes, so that none repeats the value that is there. */
let turns = 0

/** Lets `writers` write one after the other for `seconds`. */
async function writeFor(
  write: (writer: number, turn: number) => Promise<void>,
): Promise<LoadResult> {
  const times: number[] = []
  const begun = performance.now()
  const end = begun + seconds * 1000
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      while (performance.now() < end) {
        const started = performance.now()
        await write(writer, (turns += 1))
        times.push(performance.now() - started)
      }
    }),
  )
  return summarize(times, (performance.now() - begun) / 1000)
}

async function call<T>(
  url: string,
  method: 'POST' | 'PUT',
  token: string,
  body: unknown,
): Promise<T> {
  const answer = await request(url, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const read: T = JSON.parse(await answer.body.text())
  if (answer.statusCode >= 300)
    throw new Error(`${method} ${url}: ${answer.statusCode} ${JSON.stringify(read)}`)
  return read
}

interface WriteTarget {
  readonly path: string
  readonly token: string
  readonly schemaId: string
  readonly environmentId: string
}

/** An organization with a schema of 50 keys and as many environments as asked. */
async function createWriteTargets(
  apiUrl: string,
  name: string,
  environments: number,
): Promise<WriteTarget[]> {
  const organization = await call<{ id: string }>(
    `${apiUrl}/organizations`,
    'POST',
    benchSettings.SIGNALBOX_BOOTSTRAP_TOKEN,
    { name },
  )
  const path = `/organizations/${organization.id}`
  const base = `${apiUrl}${path}`
  const key = await call<{ secret: string }>(
    `${base}/api-keys`,
    'POST',
    benchSettings.SIGNALBOX_BOOTSTRAP_TOKEN,
    {
      name: 'bench',
      kind: 'm2m',
    },
  )
  const token = key.secret
  const definition = Object.fromEntries(
    Array.from({ length: keys }, (_, index) => [
      `key${index}`,
      {
        type: 'string',
        tier: 'public',
        default: `the default of key ${index}`,
        constraints: { maxLength: 200 },
      },
    ]),
  )
  const schema = await call<{ id: string }>(`${base}/config-schemas`, 'POST', token, {
    name: 'bench',
    schema: definition,
  })
  const places: WriteTarget[] = []
  for (let index = 0; index < environments; index += 1) {
    const environment = await call<{ id: string }>(`${base}/environments`, 'POST', token, {
      name: `bench-${index}`,
    })
    places.push({
      path: `${path}/config-values`,
      token,
      schemaId: schema.id,
      environmentId: environment.id,
    })
  }
  return places
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error(`There is no item ${index}`)
  return item
}

/** One key of a place, a fresh value each time. */
async function writeTo(
  apiUrl: string,
  { path, token, schemaId, environmentId }: WriteTarget,
  turn: number,
): Promise<void> {
  const values = { [`key${turn % keys}`]: `value ${turn}` }
  await call(`${apiUrl}${path}`, 'PUT', token, { schemaId, environmentId, values })
}

/** The rows that a write inserts; triggers add those of `live_changes`. */
const written = [
  { table: 'config_versions', isOf: 'schema_id = $1 and environment_id = $2', number: 'version' },
  { table: 'server_snapshots', isOf: 'schema_id = $1 and environment_id = $2', number: 'version' },
  { table: 'browser_snapshots', isOf: 'schema_id = $1 and environment_id = $2', number: 'version' },
  {
    table: 'audit_events',
    isOf: `target ->> 'id' = $1 and detail ->> 'environmentId' = $2`,
    number: 'sequence',
  },
] as const

interface Row {
  readonly name: string
  readonly text: string
  readonly columns: readonly string[]
  readonly values: readonly (string | null)[]
  readonly number: string
}

/** Reads the rows of the last write to a place, as they are inserted again. */
async function readRows(
  pool: pg.Pool,
  { schemaId, environmentId }: WriteTarget,
): Promise<readonly Row[]> {
  return Promise.all(
    written.map(async ({ table, isOf, number }) => {
      const listed = await pool.query<{ name: string }>(
        `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0
          and not attisdropped and attgenerated = '' and attidentity = '' order by attnum`,
        [table],
      )
      const columns = listed.rows.map(({ name }) => name)
      const found = await pool.query<Record<string, string | null>>(
        `select ${columns.map((column) => `"${column}"::text`).join(', ')} from ${table}
          where ${isOf} order by ${number} desc limit 1`,
        [schemaId, environmentId],
      )
      const row = at(found.rows, 0)
      return {
        name: `insert-${table}`,
        text: `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
        columns,
        values: columns.map((column) => row[column] ?? null),
        number,
      }
    }),
  )
}

/** Inserts the rows of a write as somebody would by hand: begin, the inserts, commit. */
async function insertByHand(pool: pg.Pool, rows: readonly Row[], turn: number): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const { name, text, columns, values, number } of rows) {
      const fresh = values.map((value, index) => {
        if (columns[index] === number) return String(1_000_000 + turn)
        return columns[index] === 'id' ? randomBytes(15).toString('hex') : value
      })
      await client.query({ name, text, values: fresh })
    }
    await client.query('commit')
  } finally {
    client.release()
  }
}

// The hand has a PostgreSQL of its own: a service would deliver what it inserts, which is signed by nobody.
const databases = [await openOwnPostgres(), await openOwnPostgres()] as const
const services: ServiceProcess[] = []
const start = async ({ url, directory }: OwnPostgres) => {
  const env = {
    ...benchSettings,
    DATABASE_URL: url,
    SIGNALBOX_DATA_DIR: join(directory, 'data'),
  }
  const service = await startService({ entry: 'built', env })
  services.push(service)
  return service
}

/** Writes once to each place by a service, stops it, and returns what inserts the same rows again. */
async function prepareHand(
  database: OwnPostgres,
): Promise<(writer: number, turn: number) => Promise<void>> {
  const prepared = await start(database)
  const places = await createWriteTargets(prepared.apiUrl, 'By hand', writers)
  for (const place of places) await writeTo(prepared.apiUrl, place, 1)
  await prepared.stop()
  const pool = new pg.Pool({ ...database.target.hosts[0], max: writers })
  // Its connections end with the database.
  pool.on('error', () => {})
  const rows = await Promise.all(places.map((place) => readRows(pool, place)))
  return (writer, turn) => insertByHand(pool, at(rows, writer), turn)
}

try {
  const [database, handDatabase] = databases
  const insert = await prepareHand(handDatabase)
  const { apiUrl, pid } = await start(database)
  const together = await createWriteTargets(apiUrl, 'Together', writers)
  const apart: WriteTarget[] = []
  for (let index = 0; index < writers; index += 1)
    apart.push(...(await createWriteTargets(apiUrl, `Apart ${index}`, 1)))
  const measureService = (places: readonly WriteTarget[]) =>
    measureProcesses([pid, database.pid], () =>
      writeFor((writer, turn) => writeTo(apiUrl, at(places, writer), turn)),
    )
  const results = await compete(rounds, {
    byHand: () => measureProcesses([process.pid, handDatabase.pid], () => writeFor(insert)),
    together: () => measureService(together),
    apart: () => measureService(apart),
  })
  const oneOrganization = ratios(results.together, results.byHand)
  const sixteenOrganizations = ratios(results.apart, results.byHand)
  const found = medians(results)
  recordResult({
    figure: 'P7',
    what: 'configuration writes (validate, version, audit, snapshots) by 16 writers',
    reach:
      '>= 0.5 of transactions by hand that insert the same rows into the same tables, by 16 writers, and of those in a second of processor time, PostgreSQL included',
    found: `${renderRatio(oneOrganization)}, ${found['together']?.requestsPerSecond}/s; in 16 organizations ${renderRatio(sixteenOrganizations)}`,
    reached: reach(0.5, oneOrganization),
    measured: {
      setup: { rounds, seconds },
      oneOrganization,
      sixteenOrganizations,
      medians: found,
      rounds: results,
    },
    remark:
      'The hand has the rows ready. A write reads the schema and the values, validates, compiles two snapshots, signs them, chains the audit event, deletes the snapshots before, and waits for the poll by which this node serves it, so that a read after the answer finds the new value: that wait costs about a fifth of the writes per second. Of the processor time in Node about a third goes into messages to PostgreSQL, a tenth into planning the publication, a twentieth into signatures. Tried: one statement for head, version and snapshots; pipelined statements with two waits for the database; no foreign keys on snapshots; announcements by topic; a disk cache brought up to date once a second instead of synced for each version (76 writes a second before).',
  })
} finally {
  for (const service of services) await service.stop()
  for (const database of databases) await database.close()
}
