import { resolve } from 'node:path'
import { ApiError } from '../api/problem-error.ts'
import { isLoopback } from '../project/server-url.ts'
import { assertWritablePath } from '../project/write-file.ts'
import { readValues } from '../values/read-values.ts'
import type { Session } from '../session.ts'
import { chooseEnvironmentName, findSchemaName, openSchemaTarget } from '../target.ts'
import { renderAge } from '../terminal/age.ts'
import { CliError } from '../terminal/cli-error.ts'
import {
  type OpenedSnapshot,
  readSnapshot,
  type RunSnapshot,
  type SnapshotSubject,
  snapshotPath,
  writeSnapshot,
} from './snapshot-file.ts'
import { findPassphrase, type SnapshotKey } from './snapshot-key.ts'

/** Describes the values that a child process needs. */
export interface ValuesRequest {
  readonly env: string | undefined
  /** Uses the stored values without asking the server. */
  readonly offline: boolean
  /** Says whether values are stored, and stored ones used. */
  readonly keeps: boolean
  /** Holds the file to store them in. Default: one in the user's cache. */
  readonly file: string | undefined
}

/** Holds the file of the stored values, and their key. */
interface SnapshotStore {
  readonly path: string
  readonly key: SnapshotKey
  readonly subject: SnapshotSubject
  /** Says whether the person named the file. */
  readonly isNamed: boolean
}

/** Limits the wait for the server when there are stored values. */
const patienceMs = 5_000

/**
 * Returns the values of an environment: from the server, which it stores, or the stored ones while the server is
 * unreachable. A rejection of the server is no outage, so that a revoked token starts nothing any more.
 *
 * @throws {CliError} `no_source`, `no_snapshot`, `snapshot_sealed`, `snapshot_foreign`, and what the server refuses
 */
export async function obtainValues(session: Session, request: ValuesRequest): Promise<RunSnapshot> {
  if (request.offline && !request.keeps) throw noSource()
  const store = request.keeps ? await findSnapshotStore(session, request) : undefined
  if (request.offline) return useStored(session, store, await openStored(store))
  const fetching = session.progress('Reading the values', () => fetchValues(session, request.env))
  // Awaited below. Until then a failure must not count as an unhandled rejection.
  fetching.catch(() => undefined)
  const stored = await openStored(store)
  if (stored.state === 'missing') return storeValues(session, store, await fetching)
  try {
    const values = await (stored.state === 'opened' ? withinPatience(fetching) : fetching)
    return await storeValues(session, store, values)
  } catch (error) {
    if (!isOutage(error)) throw error
    session.output.warn(error instanceof Error ? error.message : String(error))
    return useStored(session, store, stored)
  }
}

function noSource(): CliError {
  return new CliError(
    'usage',
    'no_source',
    '--offline starts with stored values, but --no-fallback uses none.',
    { advice: 'Leave one of the two out.' },
  )
}

async function findSnapshotStore(
  session: Session,
  { env, file }: ValuesRequest,
): Promise<SnapshotStore | undefined> {
  const key = (await findPassphrase(session.env)) ?? (await tokenKey(session))
  const isNamed = file !== undefined
  if (key === undefined) {
    if (isNamed) throw noKey()
    return undefined
  }
  const project = (await session.project())?.project
  const organization = session.env['SIGNALBOX_ORGANIZATION'] ?? project?.organization
  const environment = await chooseEnvironmentName(session, env)
  const schema = await findSchemaName(session)
  const subject = { organization, schema, environment }
  if (file !== undefined) {
    const path = resolve(session.cwd, file)
    await assertWritablePath(path)
    return { path, key, subject, isNamed }
  }
  // The name of the file uses names, not ids: ids are only known while the server is reachable.
  const { url } = await session.server()
  const path = snapshotPath(session.env, [url, organization, schema, environment])
  return { path, key, subject, isNamed }
}

async function tokenKey(session: Session): Promise<SnapshotKey | undefined> {
  const token = (await session.findToken())?.token
  return token === undefined ? undefined : { kind: 'token', secret: token }
}

async function openStored(store: SnapshotStore | undefined): Promise<OpenedSnapshot> {
  if (store === undefined) return { state: 'missing' }
  return readSnapshot(store.path, store.key, store.subject)
}

/** Stops waiting for a server that accepts connections and does not respond, so that the program can start. */
async function withinPatience<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const seconds = patienceMs / 1000
      reject(
        new CliError(
          'unreachable',
          'unreachable',
          `The server did not answer within ${seconds} s.`,
        ),
      )
    }, patienceMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

async function fetchValues(session: Session, env: string | undefined): Promise<RunSnapshot> {
  const target = await openSchemaTarget(session, env)
  const stored = await readValues(target)
  const { configUrl } = await target.api.whoAmI()
  const hidden = Object.entries(stored.values).flatMap(([key, { value, source }]) =>
    value === undefined && source !== 'missing' ? [key] : [],
  )
  if (hidden.length > 0) session.output.warn(`not readable with this token: ${hidden.join(', ')}`)
  const values = Object.entries(stored.values).flatMap(([key, { value }]) =>
    value === undefined ? [] : [[key, value] as const],
  )
  const { schemaId, environmentId } = stored
  return {
    schemaId,
    environmentId,
    configUrl: chooseConfigUrl(session, target.api.serverUrl, configUrl),
    fetchedAt: new Date().toISOString(),
    version: stored.version,
    values: Object.fromEntries(values),
    secrets: Object.keys(stored.values).filter((key) => stored.values[key]?.tier === 'secret'),
    variables: Object.fromEntries(
      Object.entries(stored.values).flatMap(([key, { variable }]) =>
        variable === undefined ? [] : [[key, variable]],
      ),
    ),
  }
}

/**
 * Returns the address that the program reads. A server that is not told its own names this machine, which leads nowhere
 * from another one; there the API answers the same reads.
 */
function chooseConfigUrl({ output }: Session, serverUrl: string, configUrl: string): string {
  if (!isLoopback(configUrl) || isLoopback(serverUrl)) return configUrl
  output.warn(
    `The server tells applications to use ${configUrl}, which points to another machine here, so the program reads ${serverUrl}. Set SIGNALBOX_CONFIG_URL on the server.`,
  )
  return serverUrl
}

/** Stores the values. A full disk must not prevent the program from starting. It warns when a named file was not written. */
async function storeValues(
  session: Session,
  store: SnapshotStore | undefined,
  snapshot: RunSnapshot,
): Promise<RunSnapshot> {
  if (store === undefined) return snapshot
  const { path, key, subject, isNamed } = store
  try {
    await writeSnapshot(path, key, subject, snapshot)
    session.output.detail(`values stored in ${path}`)
  } catch (error) {
    const why = `no values stored: ${error instanceof Error ? error.message : ''}`
    if (isNamed) session.output.warn(why)
    else session.output.detail(why)
  }
  return snapshot
}

function useStored(
  session: Session,
  store: SnapshotStore | undefined,
  stored: OpenedSnapshot,
): RunSnapshot {
  if (stored.state !== 'opened') throw noSnapshot(store, stored)
  const { fetchedAt, version } = stored.snapshot
  const age = renderAge(new Date(fetchedAt), new Date())
  session.output.status(
    { source: 'kept', version, fetchedAt, file: store?.path },
    `using the values stored ${age} ago (v${version}, ${fetchedAt})`,
  )
  return stored.snapshot
}

function noSnapshot(
  store: SnapshotStore | undefined,
  stored: Exclude<OpenedSnapshot, { state: 'opened' }>,
) {
  const path = store?.path ?? ''
  const again =
    'Write the file again while the server is reachable: signalbox run --env <name> -- true'
  if (stored.state === 'sealed') {
    const key = store?.key.kind ?? 'token'
    return new CliError(
      'validation',
      'snapshot_sealed',
      `This ${key} can't decrypt the stored values: another one encrypted them, or somebody changed the file.`,
      { details: [path], advice: again },
    )
  }
  if (stored.state === 'foreign') {
    return new CliError(
      'validation',
      'snapshot_foreign',
      `The stored values are of ${stored.of}, but the command asks for ${store?.subject.environment ?? ''}.`,
      { details: [path], advice: again },
    )
  }
  return new CliError(
    'unreachable',
    'no_snapshot',
    store?.isNamed
      ? `There are no stored values at ${path}.`
      : 'There are no stored values for this environment and token.',
    { advice: again },
  )
}

function noKey(): CliError {
  return new CliError('usage', 'passphrase', 'There is no key to encrypt the stored values with.', {
    advice: 'Set SIGNALBOX_PASSPHRASE, SIGNALBOX_PASSPHRASE_FILE or a token.',
  })
}

/**
 * Returns whether the server could not be asked: no response, a failure, or the page of a proxy. A proxy that
 * requires a password (401, 403, 407) is no outage, because access was denied.
 */
function isOutage(error: unknown): boolean {
  if (!(error instanceof CliError)) return false
  if (error instanceof ApiError) {
    const { status, problem } = error
    if (status >= 500 || status === 429) return true
    return problem.code === undefined && status !== 401 && status !== 403 && status !== 407
  }
  return error.reason === 'unreachable' || ['not_signalbox', 'redirected'].includes(error.code)
}
