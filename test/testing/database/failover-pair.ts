import { rm } from 'node:fs/promises'
import type pg from 'pg'
import { embeddedUser } from '../../../packages/server/src/store/embedded/create-cluster.ts'
import type { PostgresBinaries } from '../../../packages/server/src/store/embedded/binaries.ts'
import { until } from '../proof-service.ts'
import { openFreezableLink, type FreezableLink } from './freezable-link.ts'
import {
  copyCluster,
  createClusters,
  findPostgres,
  makeClusterFolder,
  startPrimary,
  startStandby,
  type PostgresServer,
} from './postgres-server.ts'
import { makeSynchronous, waitForStandby } from './standby.ts'
import { takeOver } from './take-over.ts'

/** Describes a primary and its synchronous standby, which take turns: each primary that is lost comes back as the next standby. */
export interface FailoverPair {
  /** Names both hosts. */
  readonly databaseUrl: string
  /** Counts the primaries that were lost. */
  readonly failovers: number
  /** Runs SQL at the present primary, as the superuser. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>
  /**
   * Loses the primary while its standby is behind and a write waits for it, and promotes the standby. Somebody must be writing.
   * Returns what makes the lost server the standby of the new primary; no other failover may begin before.
   */
  failOver(how: 'killed' | 'frozen'): Promise<() => Promise<void>>
  close(): Promise<void>
}

interface Member {
  readonly cluster: string
  readonly server: PostgresServer
  /** Stands between this server and its standby. */
  readonly replication: FreezableLink
}

/** Opens both, in which only this machine is let in. */
export async function openFailoverPair(): Promise<FailoverPair> {
  const directory = await makeClusterFolder('signalbox-failover-')
  const members = new Set<Member>()
  const add = async (cluster: string, server: PostgresServer): Promise<Member> => {
    const member = { cluster, server, replication: await openFreezableLink(server.port) }
    members.add(member)
    return member
  }
  const remove = async (member: Member) => {
    members.delete(member)
    await member.server.kill()
    await member.replication.close()
  }
  const close = async () => {
    await Promise.all([...members].map(remove))
    await rm(directory, { recursive: true, force: true })
  }
  try {
    const binaries = await findPostgres(directory)
    const clusters = await createClusters(binaries, directory)
    let primary = await add(clusters[0], await startPrimary(binaries, clusters[0]))
    let standby = await add(
      clusters[1],
      await startStandby(binaries, clusters[1], primary.replication.port),
    )
    await waitForStandby(primary.server)
    await makeSynchronous(primary.server)
    const hosts = [primary, standby].map(({ server }) => `127.0.0.1:${server.port}`)
    let failovers = 0
    return {
      databaseUrl: `postgres://${embeddedUser}@${hosts.join(',')}/signalbox`,
      get failovers() {
        return failovers
      },
      query: (sql, values) => primary.server.query(sql, values),
      async failOver(how) {
        const lost = primary
        await loseBehind(lost, how)
        await takeOver({
          primary: { host: '127.0.0.1', port: lost.server.port, user: embeddedUser },
          standby: standby.server,
        })
        primary = standby
        failovers += 1
        // It goes on as if nothing had happened, and what waits there for a standby waits on.
        if (how === 'frozen') await lost.server.freeze(false)
        return async () => {
          await remove(lost)
          standby = await add(lost.cluster, await follow(binaries, primary, lost))
          await waitForStandby(primary.server)
          await makeSynchronous(primary.server)
        }
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Loses a primary in the moment in which a write waits for its standby, which receives nothing any more. */
async function loseBehind(
  { server, replication }: Member,
  how: 'killed' | 'frozen',
): Promise<void> {
  replication.freeze()
  // Without this the standby has every write in any case, a millisecond later.
  const waiting = `select from pg_stat_activity where wait_event = 'SyncRep'`
  await until(async () => (await server.query(waiting)).length > 0, 'a write that waits')
  await (how === 'killed' ? server.kill() : server.freeze(true))
}

/** Starts a server that was lost at its port again, with a copy of the present primary, which it follows. */
async function follow(
  binaries: PostgresBinaries,
  primary: Member,
  lost: Member,
): Promise<PostgresServer> {
  await copyCluster(primary.server.port, primary.cluster, lost.cluster)
  return startStandby(binaries, lost.cluster, primary.replication.port, {
    port: lost.server.port,
  })
}
