import { snapshotUrl } from '@signalbox/config/page'
import type { PageSource } from './page-source.ts'

const patienceMs = 2_000

/**
 * Returns a warning where the server has no such configuration, because the page would then show its defaults forever.
 * Returns nothing where the server can't be asked: a build does without it.
 */
export async function checkSource(source: PageSource): Promise<string | undefined> {
  const { baseUrl, orgId, environment, schema } = source
  const signal = AbortSignal.timeout(patienceMs)
  const response = await fetch(snapshotUrl(source), { signal }).catch(() => undefined)
  if (response?.status !== 404) return undefined
  const names = `${schema === undefined ? '' : `schema ${schema}, `}environment ${environment}, organization ${orgId}`
  return `signalbox: ${baseUrl} has no ${names}, or the key of the page belongs to another organization. If the schema is new, run "signalbox push". Until then the page shows its defaults.`
}
