import { ExportError } from '../importer.ts'
import { isObject, readList, type JsonObject } from '../read-json.ts'

const pageItems = 100
const readingsMax = 3

/**
 * Reads every page of a list. Where an entry comes or goes meanwhile, pages move, and one could be lost or come twice. So each
 * page begins with the last entry of the one before it. Where it doesn't, the list is read again, three times at most.
 *
 * @throws {ExportError} when it changes each time
 */
export async function readPages(
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
