import { rm } from 'node:fs/promises'
import { embeddedUser } from '../../../packages/server/src/store/embedded/create-cluster.ts'
import { openFreezableLink } from './freezable-link.ts'
import {
  createClusters,
  findPostgres,
  makeClusterFolder,
  startPrimary,
  startStandby,
  type PostgresServer,
} from './postgres-server.ts'
import { makeSynchronous, waitForStandby } from './standby.ts'

/** Lists the ways in which a primary is lost. */
export const losses = ['killed', 'frozen', 'isolated'] as const

/** Names a way in which a primary is lost. */
export type Loss = (typeof losses)[number]

/** Describes a primary with one standby. Everybody reaches the primary over links that can be frozen. */
export interface PostgresPair {
  /** Names both hosts, the primary first. */
  readonly databaseUrl: string
  readonly primary: Pick<PostgresServer, 'query' | 'kill'>
  readonly standby: Pick<PostgresServer, 'query'>
  /** Has the standby receive nothing any more. Neither side is told. */
  freezeReplication(): void
  /** Loses the primary. */
  lose(how: Loss): Promise<void>
  /** Lets a frozen primary go on, as it was. */
  thaw(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens a primary and its standby.
 *
 * @param isSynchronous says whether a commit waits for the standby, as `synchronous_standby_names` has it.
 */
export async function openPostgresPair(isSynchronous: boolean): Promise<PostgresPair> {
  const directory = await makeClusterFolder('signalbox-pair-')
  const closing: (() => Promise<unknown>)[] = [
    () => rm(directory, { recursive: true, force: true }),
  ]
  const close = async () => {
    for (const step of closing.toReversed()) await step()
  }
  const keep = <T>(opened: T, end: (opened: T) => Promise<unknown>): T => {
    closing.push(() => end(opened))
    return opened
  }
  try {
    const binaries = await findPostgres(directory)
    const clusters = await createClusters(binaries, directory)
    const primary = keep(await startPrimary(binaries, clusters[0]), (server) => server.kill())
    const clients = keep(await openFreezableLink(primary.port), (link) => link.close())
    const replication = keep(await openFreezableLink(primary.port), (link) => link.close())
    const following = await startStandby(binaries, clusters[1], replication.port)
    const standby = keep(following, (server) => server.kill())
    await waitForStandby(primary)
    if (isSynchronous) await makeSynchronous(primary)
    const hosts = `127.0.0.1:${clients.port},127.0.0.1:${standby.port}`
    return {
      databaseUrl: `postgres://${embeddedUser}@${hosts}/signalbox`,
      primary,
      standby,
      freezeReplication: () => replication.freeze(),
      async lose(how) {
        if (how === 'killed') await primary.kill()
        if (how === 'frozen') await primary.freeze(true)
        if (how === 'isolated') clients.freeze()
      },
      thaw: () => primary.freeze(false),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
