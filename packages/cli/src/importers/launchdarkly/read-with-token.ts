import { ExportError, type TokenAccess, requireVariable } from '../importer.ts'
import { type JsonObject, isObject, readList, requireObject } from '../read-json.ts'

/** The REST API answers about three environments at most. */
const environmentsPerRequest = 3

/**
 * Reads every flag of a project with its segments, three environments a request, and returns them in the form of the REST
 * list. The token is in LAUNCHDARKLY_API_TOKEN and stays on this machine.
 *
 * @throws {ExportError} for a flag that changed between two requests
 */
export async function readWithToken(access: TokenAccess): Promise<string> {
  const { env, project, environments, ask } = access
  const token = requireVariable(access, 'LAUNCHDARKLY_API_TOKEN', 'a token that reads')
  if (project === undefined)
    throw new ExportError('Name the project of LaunchDarkly: --project <key>.')
  const base = env['LAUNCHDARKLY_URL'] ?? 'https://app.launchdarkly.com'
  const get = async (path: string) =>
    requireObject(
      await ask(`${base}/api/v2/${path}`, { authorization: token, 'ld-api-version': '20240415' }),
      path,
    )
  const names = environments.length > 0 ? environments : await listEnvironments(get, project)
  const flags = new Map<string, { readonly item: JsonObject; readonly environments: JsonObject }>()
  for (let at = 0; at < names.length; at += environmentsPerRequest) {
    const some = names.slice(at, at + environmentsPerRequest)
    for (const item of await listFlags(get, project, some)) mergeFlag(flags, item)
  }
  const segments: Record<string, Record<string, unknown>> = {}
  for (const name of names) {
    const list = await readPages(
      get,
      `segments/${encodeURIComponent(project)}/${encodeURIComponent(name)}?`,
    )
    segments[name] = Object.fromEntries(list.map((segment) => [String(segment['key']), segment]))
  }
  const items = [...flags.values()].map(({ item, environments: own }) => ({
    ...item,
    environments: own,
  }))
  return JSON.stringify({ items, segments })
}

type Get = (path: string) => Promise<JsonObject>

async function listEnvironments(get: Get, project: string): Promise<string[]> {
  const list = await readPages(get, `projects/${encodeURIComponent(project)}/environments?`)
  return list.map((environment) => String(environment['key']))
}

function listFlags(
  get: Get,
  project: string,
  environments: readonly string[],
): Promise<readonly JsonObject[]> {
  const filter = encodeURIComponent(`filterEnv:${environments.join(',')}`)
  return readPages(get, `flags/${encodeURIComponent(project)}?summary=0&filter=${filter}&`)
}

/** Joins the environments of a flag, whose rest must not have changed in between. */
function mergeFlag(
  flags: Map<string, { readonly item: JsonObject; readonly environments: JsonObject }>,
  item: JsonObject,
): void {
  const key = String(item['key'])
  const known = flags.get(key)
  const own = isObject(item['environments']) ? item['environments'] : {}
  if (known !== undefined && toShape(known.item) !== toShape(item)) {
    throw new ExportError(`LD-D002: the flag ${key} changed between two requests. Import again.`)
  }
  flags.set(key, { item, environments: { ...known?.environments, ...own } })
}

function toShape({ variations, archived, deprecated }: JsonObject): string {
  return JSON.stringify([variations, archived, deprecated])
}

const pageItems = 100
const readingsMax = 3

/**
 * Reads every page of a list. Where an entry comes or goes meanwhile, pages move, and one could be lost or come twice. So each
 * page begins with the last entry of the one before it. Where it doesn't, the list is read again, three times at most.
 *
 * @throws {ExportError} when it changes each time
 */
async function readPages(
  get: (path: string) => Promise<JsonObject>,
  path: string,
): Promise<readonly JsonObject[]> {
  for (let reading = 1; reading <= readingsMax; reading += 1) {
    const items = await readOnce(get, path)
    if (items !== undefined) return items
  }
  throw new ExportError(
    `LD-D002: the list changed while it was read, ${readingsMax} times. Import again.`,
  )
}

/** Returns `undefined` when the list changed. */
async function readOnce(
  get: (path: string) => Promise<JsonObject>,
  path: string,
): Promise<readonly JsonObject[] | undefined> {
  const items: JsonObject[] = []
  let total: unknown
  for (;;) {
    const last = items.at(-1)
    const offset = Math.max(items.length - 1, 0)
    const page = await get(`${path}limit=${pageItems}&offset=${offset}`)
    const list = readList(page['items'], 'items').filter(isObject)
    const { totalCount } = page
    const hasMoved = last !== undefined && list[0]?.['key'] !== last['key']
    if (hasMoved || (last !== undefined && totalCount !== total)) return undefined
    total = totalCount
    items.push(...(last === undefined ? list : list.slice(1)))
    if (items.length === total || list.length < pageItems) return toWhole(items, total)
  }
}

function toWhole(items: readonly JsonObject[], total: unknown): readonly JsonObject[] | undefined {
  const isWhole = typeof total !== 'number' || items.length === total
  const keys = new Set(items.map(({ key }) => key))
  return isWhole && keys.size === items.length ? items : undefined
}
