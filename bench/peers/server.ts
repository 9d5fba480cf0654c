// P17: reads of 200 flags from the server, beside Unleash, which stores them in the same PostgreSQL.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { callAs } from '../../e2e/call.ts'
import { startService } from '../../e2e/start-service.ts'
import { withOwner } from '../../packages/server/src/store/owner.ts'
import { findPort } from '../../scripts/dev/find-port.ts'
import { hasTaskset, pin, residentMiB } from '../child.ts'
import { compete, measureProcesses, medians, type Measured } from '../compete.ts'
import { runLoad, type LoadRequest } from '../load.ts'
import { benchSettings, openOwnPostgres, type OwnPostgres } from '../own-postgres.ts'
import { recordComparison } from './beside.ts'
import { toRules } from './evaluation/signalbox.ts'
import { toFeature } from './evaluation/unleash.ts'
import { makeFlags } from './flags.ts'
import { versionOf } from './product.ts'

/** Example: `node … bench/peers/server.ts 1 1` for a look. */
const rounds = Number(process.argv[2] ?? 7)
const seconds = Number(process.argv[3] ?? 1)
const connections = 32
const changes = 10
const flags = makeFlags(200)
const [first] = flags
const user = { targetingKey: 'user-4711', plan: 'pro', country: 'DE', seats: 12 }
const email = 'user1@team1.example'

/** Describes a server with the flags. */
interface Server {
  readonly pid: number
  readonly startMs: number
  readonly port: number
  /** Reads all flags with their rules, as a client on a server does. */
  readonly rules: LoadRequest
  /** Reads the values of all flags for one user, as a client in a browser does. */
  readonly values: LoadRequest
  /** Turns a flag on or off, and returns when that is acknowledged. */
  readonly turn: (on: boolean) => Promise<unknown>
  /** Returns whether a flag is on for clients. */
  readonly isOn: () => Promise<boolean>
  readonly kill: () => Promise<unknown>
}

async function read({ path, headers, body }: LoadRequest, port: number) {
  const method = body === undefined ? 'GET' : 'POST'
  const sent = { method, headers, ...(body !== undefined && { body }) }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, sent)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  return { text, etag: answer.headers.get('etag') ?? '' }
}

async function openSignalbox({ url }: OwnPostgres): Promise<Server> {
  const start = () => startService({ entry: 'built', env: { ...benchSettings, DATABASE_URL: url } })
  await (await start()).stop()
  const service = await start()
  const root = callAs(service.apiUrl, benchSettings.SIGNALBOX_BOOTSTRAP_TOKEN)
  const { id } = await root<{ id: string }>('POST', '/organizations', { name: 'Bench' })
  const owner = callAs(
    `${service.apiUrl}/organizations/${id}`,
    benchSettings.SIGNALBOX_BOOTSTRAP_TOKEN,
  )
  const environment = await owner<{ id: string }>('POST', '/environments', { name: 'live' })
  const definition = Object.fromEntries(
    flags.map(({ key }) => [key, { type: 'boolean', tier: 'featureFlags' }]),
  )
  const schema = await owner<{ id: string }>('POST', '/config-schemas', {
    name: 'bench',
    schema: definition,
  })
  const target = { schemaId: schema.id, environmentId: environment.id }
  const set = (body: object) => owner('PUT', '/config-values', { ...target, ...body })
  await set({
    values: Object.fromEntries(flags.map(({ key, on }) => [key, on])),
    rules: Object.fromEntries(flags.map((flag) => [flag.key, toRules(flag)])),
  })
  const keyOf = (kind: string) => {
    const environmentIds = [environment.id]
    return owner<{ secret: string }>('POST', '/api-keys', { name: kind, kind, environmentIds })
  }
  const server = { Authorization: `Bearer ${(await keyOf('m2m')).secret}` }
  const browser = { Authorization: `Bearer ${(await keyOf('b2m')).secret}` }
  const port = Number(new URL(service.configUrl).port)
  const rules = { path: `/snapshots/${schema.id}/${environment.id}`, headers: server }
  return {
    pid: service.pid,
    startMs: service.startedInMs,
    port,
    rules,
    values: {
      path: '/ofrep/v1/evaluate/flags',
      headers: { ...browser, 'Content-Type': 'application/json' },
      body: JSON.stringify({ context: { ...user, email } }),
    },
    turn: (on) => set({ values: { [first?.key ?? '']: on } }),
    isOn: async () => {
      const document: { featureFlags: Record<string, unknown> } = JSON.parse(
        (await read(rules, port)).text,
      )
      return document.featureFlags[first?.key ?? ''] === true
    },
    kill: () => service.kill(),
  }
}

/** Starts Unleash as its documentation does, and returns once it says that it is well. */
async function startUnleash(env: Readonly<Record<string, string>>) {
  const begun = performance.now()
  const port = await findPort(0)
  const script = new URL('./node_modules/unleash-server/dist/server.js', import.meta.url).pathname
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env['PATH'], ...env, HTTP_PORT: String(port), HTTP_HOST: '127.0.0.1' },
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const isWell = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isWell())) {
    if (child.exitCode !== null) throw new Error('Unleash did not start')
    await delay(10)
  }
  const kill = () => {
    child.kill('SIGKILL')
    return ended
  }
  return { pid: child.pid ?? 0, startMs: performance.now() - begun, port, kill }
}

async function openUnleash({ target }: OwnPostgres): Promise<Server> {
  await withOwner(target, (client) => client.query('create database unleash'))
  const { host = '', user: username = '' } = target.hosts[0] ?? {}
  const token = (scope: string) => `${scope}.${randomBytes(16).toString('hex')}`
  const admin = token('*:*')
  const backend = token('default:development')
  const frontend = token('default:development')
  const env = {
    DATABASE_HOST: host,
    DATABASE_NAME: 'unleash',
    DATABASE_USERNAME: username,
    DATABASE_PASSWORD: 'none',
    DATABASE_SSL: 'false',
    INIT_ADMIN_API_TOKENS: admin,
    INIT_BACKEND_API_TOKENS: backend,
    INIT_FRONTEND_API_TOKENS: frontend,
    LOG_LEVEL: 'error',
    CHECK_VERSION: 'false',
    SEND_TELEMETRY: 'false',
  }
  await (await startUnleash(env)).kill()
  const service = await startUnleash(env)
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`http://127.0.0.1:${service.port}/api/admin${path}`, {
      method,
      headers: { authorization: admin, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }
  for (const name of ['plan', 'country', 'email', 'seats']) await call('POST', '/context', { name })
  for (const flag of flags) {
    const { name, type, enabled, strategies } = toFeature(flag)
    await call('POST', '/projects/default/features', { name, type })
    const at = `/projects/default/features/${name}/environments/development`
    for (const strategy of strategies) await call('POST', `${at}/strategies`, strategy)
    if (enabled) await call('POST', `${at}/on`)
  }
  const rules = { path: '/api/client/features', headers: { Authorization: backend } }
  const properties = new URLSearchParams({ userId: user.targetingKey })
  for (const [name, value] of Object.entries({ ...user, email }))
    if (name !== 'targetingKey') properties.set(`properties[${name}]`, String(value))
  return {
    ...service,
    rules,
    values: { path: `/api/frontend?${properties}`, headers: { Authorization: frontend } },
    turn: (on) =>
      call(
        'POST',
        `/projects/default/features/${first?.key}/environments/development/${on ? 'on' : 'off'}`,
      ),
    isOn: async () => {
      const document: { features: { name: string; enabled: boolean }[] } = JSON.parse(
        (await read(rules, service.port)).text,
      )
      return document.features.some(({ name, enabled }) => name === first?.key && enabled)
    },
  }
}

/** Returns how long after its acknowledgement a change is in what clients read. */
async function measureChange({ turn, isOn }: Server): Promise<number[]> {
  const times: number[] = []
  for (let change = 0; change < changes; change += 1) {
    const wanted = change % 2 === 1
    await turn(wanted)
    const begun = performance.now()
    while ((await isOn()) !== wanted) await delay(1)
    times.push(performance.now() - begun)
  }
  return times
}

async function measureServer(server: Server) {
  const { pid, port, rules, values } = server
  const { etag, text } = await read(rules, port)
  const evaluated = await read(values, port)
  if (hasTaskset) pin(pid, 0)
  const load = (request: LoadRequest) => (): Promise<Measured> =>
    measureProcesses([pid], () =>
      runLoad({ port, requests: [request], connections, seconds, core: 1 }),
    )
  return {
    bytes: { rules: text.length, values: evaluated.text.length },
    rules: load(rules),
    unchanged: load({ ...rules, headers: { ...rules.headers, 'If-None-Match': etag } }),
    values: load(values),
  }
}

const database = await openOwnPostgres()
const servers: Server[] = []
try {
  const signalbox = await openSignalbox(database)
  servers.push(signalbox)
  const unleash = await openUnleash(database)
  servers.push(unleash)
  const [ours, theirs] = [await measureServer(signalbox), await measureServer(unleash)]
  const idleMiB = servers.map(({ pid }) => Math.round(residentMiB(pid)))
  const results = await compete(rounds, {
    signalboxRules: ours.rules,
    unleashRules: theirs.rules,
    signalboxUnchanged: ours.unchanged,
    unleashUnchanged: theirs.unchanged,
    signalboxValues: ours.values,
    unleashValues: theirs.values,
  })
  const found = medians(results)
  const changeMs = [await measureChange(signalbox), await measureChange(unleash)]
  const valuesOf = (name: string, at: number) => [
    ...['Rules', 'Unchanged', 'Values'].flatMap((kind) => {
      const one = found[name + kind]
      return one === undefined
        ? []
        : [one.requestsPerSecond, Math.round(one.cpuMicroseconds), Math.round(one.p99Ms * 10) / 10]
    }),
    Math.round(Math.max(...(changeMs[at] ?? []))),
    Math.round(servers[at]?.startMs ?? Number.NaN),
    idleMiB[at] ?? null,
  ]
  recordComparison(
    'P17',
    `reads of ${flags.length} flags from the server, on ${connections} connections and one core`,
    {
      columns: [
        ...['all rules', 'all rules, unchanged (304)', 'all flags for a user'].flatMap(
          (title) =>
            [
              { title: `${title}, reads/s`, better: 'more' },
              { title: `${title}, µs of processor time`, better: 'less' },
              { title: `${title}, p99 in ms`, better: 'less' },
            ] as const,
        ),
        { title: 'the slowest of ten changes until a read has it, ms', better: 'less' },
        { title: 'start with data until ready, ms', better: 'less' },
        {
          title: 'idle memory, MiB',
          better: 'less',
          why: 'The same process also serves the dashboard, the integrations, the jobs and the streams.',
        },
      ],
      lines: [
        {
          name: 'Signalbox',
          version: `@signalbox/server ${versionOf('@signalbox/server')}`,
          setup:
            'as `npm start` runs it, without limits of rates; the rules with a server key, the flags for a user by OFREP. A change is pushed to every client by its stream',
          values: valuesOf('signalbox', 0),
        },
        {
          name: 'Unleash',
          version: `unleash-server ${versionOf('unleash-server')}`,
          setup:
            'as its documentation starts it, without telemetry and the check for new versions; `/api/client/features`, and `/api/frontend` for a user. Its clients poll, every 15 seconds unless they are told otherwise, which comes on top of a change',
          values: valuesOf('unleash', 1),
        },
      ],
    },
    {
      setup: { connections, rounds, seconds, flags: flags.length },
      bytes: { signalbox: ours.bytes, unleash: theirs.bytes },
      medians: found,
      changeMs,
      rounds: results,
    },
  )
} finally {
  for (const server of servers) await server.kill()
  await database.close()
}
