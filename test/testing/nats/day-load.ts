import { setTimeout as delay } from 'node:timers/promises'
import { inject } from 'vitest'
import { bearer, createClient } from '../http.ts'
import type { DayWorld, EdgeNode } from './day-world.ts'

/** Describes what clients have seen of a day. */
export interface DayLoad {
  /** Maps an environment to the newest version whose write was acknowledged. */
  readonly acknowledged: ReadonlyMap<string, number>
  readonly writes: number
  readonly reads: number
  /** Describes each read that showed an older version than one before it at the same node. */
  readonly stepsBack: readonly string[]
  /** Names the environments at the code host that were deployed to, once each. */
  readonly deployed: readonly string[]
  /** Ends the load, and resolves when nothing is under way. */
  stop(): Promise<void>
}

/** Two marks that cross are rare: at night, where a control waits for them, there are more. */
const pauseMs = inject('scale') > 1 ? 40 : 100
const betweenDeploymentsMs = 1_500

/** Starts writing at any node that is up, reading at each delivery node, and deploying. */
export function startDayLoad({ shop, edges, place }: DayWorld): DayLoad {
  const { schemaId, environmentIds, serverKey, browserKey } = place
  const acknowledged = new Map<string, number>()
  const counts = { writes: 0, reads: 0 }
  const stepsBack: string[] = []
  const deployed: string[] = []
  const stopping = new AbortController()
  const { signal } = stopping
  const repeat = async (everyMs: number, work: (turn: number) => unknown) => {
    for (let turn = 0; !signal.aborted; turn += 1) {
      await work(turn)
      await delay(everyMs)
    }
  }
  const write = async (turn: number) => {
    const node = shop.nodes.find(({ isUp }, index) => isUp && index >= turn % 2) ?? shop.nodes[0]
    const environmentId = environmentIds[turn % environmentIds.length] ?? ''
    const path = `${node.apiUrl}/organizations/${shop.organization.orgId}/config-values`
    const answer = await send(path, serverKey, {
      schemaId,
      environmentId,
      values: { count: turn + 1 },
    })
    if (answer === undefined) return
    const { version } = JSON.parse(answer) as { version: number }
    acknowledged.set(environmentId, Math.max(version, acknowledged.get(environmentId) ?? 0))
    counts.writes += 1
  }
  const watch = (edge: EdgeNode) => {
    const newest = new Map<string, number>()
    return async (turn: number) => {
      const environmentId = environmentIds[turn % environmentIds.length] ?? ''
      const version = await readVersion(edge, `/snapshots/${schemaId}/${environmentId}`, browserKey)
      if (version === undefined) return
      const before = newest.get(environmentId) ?? 0
      if (version < before) stepsBack.push(`${edge.configUrl} ${before} to ${version}`)
      newest.set(environmentId, Math.max(version, before))
      counts.reads += 1
    }
  }
  const deploy = () => {
    const environment = `preview-${deployed.length}`
    shop.shop.deploy(environment, ['queued', 'in_progress', 'success'])
    deployed.push(environment)
  }
  const working = [
    repeat(pauseMs, write),
    ...edges.map((edge) => repeat(pauseMs, watch(edge))),
    repeat(betweenDeploymentsMs, deploy),
  ]
  return {
    acknowledged,
    get writes() {
      return counts.writes
    },
    get reads() {
      return counts.reads
    },
    stepsBack,
    deployed,
    async stop() {
      stopping.abort()
      await Promise.all(working)
    },
  }
}

/** Puts a body. Returns the answer's text where it is 200: everything else has not been acknowledged. */
async function send(url: string, token: string, body: object): Promise<string | undefined> {
  try {
    const answer = await fetch(url, {
      method: 'PUT',
      headers: { ...bearer(token), 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    })
    const text = await answer.text()
    return answer.status === 200 ? text : undefined
  } catch {
    return undefined
  }
}

/** Reads the version that a delivery node serves; `undefined` while it does not answer. */
export async function readVersion(
  { configUrl }: EdgeNode,
  path: string,
  browserKey: string,
): Promise<number | undefined> {
  const client = createClient(configUrl)
  try {
    const answer = await client.send({ method: 'GET', path, headers: bearer(browserKey) })
    if (answer.status !== 200) return undefined
    return (JSON.parse(answer.bytes.toString()) as { version: number }).version
  } catch {
    return undefined
  } finally {
    client.close()
  }
}
