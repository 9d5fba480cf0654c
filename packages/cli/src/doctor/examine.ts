import process from 'node:process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describeIdentity } from '../api/describe-identity.ts'
import type { Answer } from '../api/operations.ts'
import { ApiError } from '../api/problem-error.ts'
import { displayPath, findDefinition } from '../definition/find-definition.ts'
import { readDefinition } from '../definition/read-definition.ts'
import { type ServerChoice, nameServerSource } from '../project/choose-server.ts'
import { isIgnored, isTracked } from '../project/git.ts'
import { findProxyVariable, listProxyVariables } from '../project/proxy-variables.ts'
import { isPrivateConnection } from '../project/server-url.ts'
import { countTiers } from '../schema/full-key.ts'
import { renderCounts } from '../schema/render-plan.ts'
import type { Session } from '../session.ts'
import { openOrganization } from '../target.ts'
import { CliError } from '../terminal/cli-error.ts'
import { countOf } from '../terminal/count.ts'
import { judgeStorage } from './judge-storage.ts'
import { type ServerProbe, probeServer } from './probe-server.ts'

/** Describes the state of one part of the set-up. */
export interface Finding {
  readonly name: string
  readonly state: 'ok' | 'warning' | 'fault'
  readonly detail: string
  /** Holds advice. */
  readonly next?: string | undefined
}

type Part = Omit<Finding, 'name'>

const part =
  (state: Finding['state']) =>
  (detail: string, next?: string): Part => ({ state, detail, next })
const [ok, warning, failure] = [part('ok'), part('warning'), part('fault')]

/** Checks everything that a command depends on. It changes nothing, and a failed part does not hide the others. */
export async function examine(session: Session): Promise<Finding[]> {
  const server = await attempt(() => session.server())
  const probe = 'value' in server ? await probeNamed(session, server.value) : undefined
  return [
    { name: 'node', ...nodePart() },
    { name: 'project', ...(await guarded(() => projectPart(session))) },
    { name: 'definition', ...(await guarded(() => definitionPart(session))) },
    {
      name: 'server',
      ...('value' in server ? serverPart(server.value, probe) : server.failure),
    },
    { name: 'database', ...(await operatorPart(session, probe, judgeDatabase)) },
    { name: 'bootstrap token', ...(await operatorPart(session, probe, judgeBootstrapToken)) },
    { name: 'configuration', ...(await guarded(() => configurationPart(session, probe))) },
    { name: 'clock', ...clockPart(probe) },
    { name: 'token', ...(await guarded(() => tokenPart(session, probe))) },
    { name: 'proxy', ...(await guarded(() => proxyPart(session))) },
    { name: '.env.local', ...(await guarded(() => envFilePart(session))) },
  ]
}

function probeNamed({ env }: Session, choice: ServerChoice): Promise<ServerProbe> {
  return probeServer(choice.url, nameServerSource(choice, env))
}

function nodePart(): Part {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const detail = `${process.versions.node}, ${process.platform} ${process.arch}`
  if (major < 20 || (major === 20 && minor < 19)) {
    return failure(detail, 'Install Node 20.19 or newer')
  }
  return ok(detail)
}

async function projectPart(session: Session): Promise<Part> {
  const location = await session.project()
  if (location === undefined) {
    return warning('no .signalbox.json here or above', 'signalbox init')
  }
  const { organization, schema, environment } = location.project
  const parts = [organization, schema, environment].filter((part) => part !== undefined)
  return ok(`${displayPath(session, location.path)}  ${parts.join(' / ')}`)
}

async function definitionPart(session: Session): Promise<Part> {
  const path = await findDefinition(session)
  if (path === undefined) return warning('no signalbox.config.ts', 'signalbox init')
  const { keys, violations } = await readDefinition(session, path)
  const detail = `${displayPath(session, path)}  ${renderCounts(countTiers(keys.values()))}`
  if (violations.length === 0) return ok(detail)
  return failure(`${detail}, ${countOf(violations.length, 'problem')}`, 'signalbox check')
}

function serverPart(
  { url, source }: { url: string; source: string },
  probe: ServerProbe | undefined,
): Part {
  const from = `${url} (from ${source})`
  if (probe === undefined || !probe.reached) {
    return failure(`${from}: ${probe?.detail ?? 'not reached'}`, probe?.next)
  }
  if (!probe.ready)
    return failure(`${from} is not ready: ${probe.detail}`, 'See the log of the server')
  if (probe.isBodyCut) {
    return warning(
      `${from} is ready, but a proxy before it refuses bodies of 2 MiB: webhooks and schemas get lost`,
      'Let the proxy take bodies of 25 MiB. nginx: client_max_body_size 25m',
    )
  }
  if (!isPrivateConnection(url)) {
    return warning(`${from} is ready, but the connection is not encrypted`, 'Use https')
  }
  if (probe.warnings.length > 0) {
    return warning(
      `${from} is ready. ${probe.warnings.join(' ')}`,
      'If it is a proxy, add it to SIGNALBOX_TRUSTED_PROXIES of the server',
    )
  }
  return ok(`${from} is ready, version ${probe.version}, ${probe.roundTripMs} ms`)
}

type ServerStatus = Answer<'getServerStatus'>

const judgeDatabase = ({ storage }: ServerStatus): Part => judgeStorage(storage, new Date())

function judgeBootstrapToken({ checks }: ServerStatus): Part {
  const { bootstrapToken: check } = checks
  if (check === undefined) return ok('not set')
  const next = 'Remove it from the settings of the server, and restart the server'
  return warning(check.detail, next)
}

/** Looks at the server as the person who runs it sees it. For others there is nothing to say. */
async function operatorPart(
  session: Session,
  probe: ServerProbe | undefined,
  judge: (status: ServerStatus) => Part,
): Promise<Part> {
  if (probe?.reached !== true || (await session.findToken()) === undefined) {
    return ok('not checked')
  }
  try {
    return judge(await (await session.api()).call('getServerStatus'))
  } catch (error) {
    if (error instanceof ApiError) return ok('visible only to operators of the server')
    return partOf(error)
  }
}

/** Looks at what the front page says about stored configuration. API keys don't see it. */
async function configurationPart(session: Session, probe: ServerProbe | undefined): Promise<Part> {
  if (probe?.reached !== true || (await session.findToken()) === undefined) {
    return ok('not checked')
  }
  try {
    const { api, organization } = await openOrganization(session)
    const overview = await api.call('getOverview', { params: { org_id: organization.id } })
    return judgeConfiguration(overview.needsYou)
  } catch (error) {
    if (error instanceof ApiError) return ok('visible only to members')
    throw error
  }
}

function clockPart(probe: ServerProbe | undefined): Part {
  if (probe === undefined || !probe.reached || probe.skewMs === undefined) {
    return warning('not compared: the server was not reached')
  }
  const seconds = Math.round(Math.abs(probe.skewMs) / 1000)
  if (seconds <= 30) return ok('agrees with the server')
  return warning(
    `${seconds} s ${probe.skewMs > 0 ? 'behind' : 'ahead of'} the server`,
    'Set the clock: short-lived tokens and certificates depend on it',
  )
}

async function tokenPart(session: Session, probe: ServerProbe | undefined): Promise<Part> {
  const token = await session.findToken()
  if (token === undefined) return failure('none', 'signalbox login')
  if (probe === undefined || !probe.reached) {
    return warning(`from ${token.source}; not checked: the server was not reached`)
  }
  const identity = await (await session.api()).whoAmI()
  return ok(`from ${token.source}: ${describeIdentity(identity)}`)
}

async function proxyPart(session: Session): Promise<Part> {
  const { env } = session
  const set = listProxyVariables(env)
  if (set.length === 0) return ok('none set')
  const variable = findProxyVariable((await session.server()).url, env)
  if (variable === undefined) return ok(`${set.join(', ')}, not for this server`)
  return ok(`${variable}, unless NO_PROXY names the server`)
}

async function envFilePart(session: Session): Promise<Part> {
  const path = join(session.cwd, '.env.local')
  const stats = await stat(path).catch(() => undefined)
  if (stats === undefined) return ok('not there')
  if (await isTracked(path)) {
    return failure('is tracked by git', 'git rm --cached .env.local, and replace the secrets in it')
  }
  if ((await isIgnored(path)) === false) {
    return failure('is not ignored by git', 'echo .env.local >> .gitignore')
  }
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
    const mode = (stats.mode & 0o777).toString(8).padStart(4, '0')
    return warning(`can be read by others (mode ${mode})`, 'chmod 600 .env.local')
  }
  return ok('ignored by git, readable by you alone')
}

async function attempt<T>(work: () => Promise<T>): Promise<{ value: T } | { failure: Part }> {
  try {
    return { value: await work() }
  } catch (error) {
    return { failure: partOf(error) }
  }
}

async function guarded(work: () => Promise<Part>): Promise<Part> {
  return work().catch(partOf)
}

function partOf(error: unknown): Part {
  if (error instanceof CliError) {
    return { state: 'fault', detail: error.message, next: error.advice?.split('\n')[0] }
  }
  return failure(error instanceof Error ? error.message : String(error))
}

type Attention = Answer<'getOverview'>['needsYou'][number]

/** Lists what the front page says that concerns the definition of an application. */
const codes: ReadonlySet<Attention['code']> = new Set(['default_of_nothing'])

/** Returns what the server says about stored configuration, out of what needs attention there. */
function judgeConfiguration(items: readonly Attention[]): {
  readonly state: 'ok' | 'warning' | 'fault'
  readonly detail: string
} {
  const reported = items.filter(({ code }) => codes.has(code))
  if (reported.length === 0) return ok('nothing to report')
  return {
    state: reported.some(({ severity }) => severity === 'error') ? 'fault' : 'warning',
    detail: reported.map(({ title, detail }) => `${title}. ${detail}`).join(' '),
  }
}
