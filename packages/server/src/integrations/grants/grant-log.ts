import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { makeDirectories } from '../../store/make-directories.ts'
import { readWholeFile, removeWhole, writeWholeFile } from '../../store/whole-file.ts'
import type { Log } from '../../telemetry/log.ts'
import type { GrantRef } from './sealed-grant.ts'

/** Describes a grant that the provider has renewed, sealed for the row that will hold it. */
export interface RenewedGrant extends GrantRef {
  readonly sealed: Buffer
  readonly accessExpiresAt: Date | null
  readonly refreshExpiresAt: Date | null
}

/**
 * Holds renewed grants until the database has stored them: a write-ahead file each, on this node's disk. A provider that rotates
 * tokens refuses the old one, so that a grant lost between its answer and the commit costs a person a new connection.
 */
export interface GrantLog {
  /** Writes a grant to the disk, where it stays until `forget`. Logs a failed write: the database may still take the grant. */
  keep(grant: RenewedGrant): Promise<void>
  /** Returns the newest grant of an integration; older ones are not kept. */
  find(integrationId: string): RenewedGrant | undefined
  list(): readonly RenewedGrant[]
  /** Removes the grant of an integration, unless it is of a later generation. */
  forget(of: { readonly integrationId: string; readonly generation: number }): Promise<void>
}

const base64 = z.string().transform((text) => Buffer.from(text, 'base64'))
const moment = z.coerce.date().nullable()
const storedGrant = z.strictObject({
  orgId: z.string(),
  integrationId: z.string(),
  generation: z.int(),
  sealed: base64,
  accessExpiresAt: moment,
  refreshExpiresAt: moment,
}) satisfies z.ZodType<RenewedGrant>

const nameOf = (integrationId: string) => `${integrationId}.grant`

/** Opens the log in `directory` with the grants that an earlier process left there. Logs files that it cannot read, and leaves them alone. */
export async function openGrantLog({
  directory,
  log,
}: {
  readonly directory: string
  readonly log: Pick<Log, 'error'>
}): Promise<GrantLog> {
  const grants = await readAll(directory, log)
  return {
    async keep(grant) {
      grants.set(grant.integrationId, grant)
      const text = JSON.stringify({ ...grant, sealed: grant.sealed.toString('base64') })
      try {
        await writeWholeFile(directory, nameOf(grant.integrationId), text)
      } catch (error) {
        log.error('Could not write a renewed grant to the disk', {
          error,
          orgId: grant.orgId,
        })
      }
    },
    find: (integrationId) => grants.get(integrationId),
    list: () => [...grants.values()],
    async forget({ integrationId, generation }) {
      if ((grants.get(integrationId)?.generation ?? Infinity) > generation) return
      grants.delete(integrationId)
      await removeWhole(join(directory, nameOf(integrationId)))
    },
  }
}

async function readAll(
  directory: string,
  log: Pick<Log, 'error'>,
): Promise<Map<string, RenewedGrant>> {
  const grants = new Map<string, RenewedGrant>()
  const names = await listAll(directory).catch((error: unknown) => {
    log.error('Could not open the directory of renewed grants', { error })
    return []
  })
  for (const name of names.filter((each) => each.endsWith('.grant'))) {
    const grant = await readGrant(join(directory, name))
    if (grant === undefined)
      log.error('Could not read a renewed grant from the disk', { reason: name })
    else grants.set(grant.integrationId, grant)
  }
  return grants
}

async function listAll(directory: string): Promise<string[]> {
  await makeDirectories(directory, 0o700)
  return readdir(directory)
}

async function readGrant(path: string): Promise<RenewedGrant | undefined> {
  const file = await readWholeFile(path)
  if (file.outcome !== 'whole') return undefined
  const { data } = storedGrant.safeParse(JSON.parse(file.text))
  return data
}
