import { Resolver } from 'node:dns/promises'

/** Reads the TXT records of a name, each as one text; `undefined` when DNS does not answer, which says nothing of them. */
export type ReadTxt = (name: string) => Promise<readonly string[] | undefined>

/** Lists the answers that say that there is no such record. */
const absences: ReadonlySet<unknown> = new Set(['ENODATA', 'ENOTFOUND'])

/** Creates the reader of TXT records. `servers`: those of the settings; none: those of the machine. */
export function createReadTxt(servers: readonly string[]): ReadTxt {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  return async (name) => {
    try {
      const records = await resolver.resolveTxt(name)
      return records.map((parts) => parts.join(''))
    } catch (error) {
      return absences.has(Reflect.get(Object(error), 'code')) ? [] : undefined
    }
  }
}
