import {
  deliveryNode,
  operationEndpoints as endpoints,
  type ResponseOf,
} from '@signalbox/contract/rest'
import type { Router } from '../http/router.ts'
import type { Store } from '../store/store.ts'
import { releaseDayOf } from '../store/embedded/packaged-release.ts'
import type { ReadinessCheck } from './readiness.ts'
import { listDeliveryNodes, type DeliveryNode } from '../read-models/server/delivery-node-rows.ts'
import { findServerFacts, type ServerFacts } from '../read-models/server/status-rows.ts'

type ServerStatus = ResponseOf<typeof endpoints.getServerStatus>

/** Describes the dependencies of the server's status. */
export interface ServerStatusDeps {
  readonly store: Pick<Store, 'maintenance'>
  readonly version: string
  readonly startedAt: Date
  readonly engine: ServerStatus['storage']['engine']
  readonly roles: Iterable<ServerStatus['roles'][number]>
  readonly checks: () => Promise<Readonly<Record<string, ReadinessCheck>>>
  /** Names the audit chain that records exports. */
  readonly serverChain: string
}

/** Mounts the status of the server, for its operator. */
export function mountServerStatus(router: Router, deps: ServerStatusDeps): void {
  router.add(endpoints.getServerStatus, {
    async handle() {
      const { store, serverChain, checks } = deps
      const [facts, deliveryNodes] = await store.maintenance(async (tx) => [
        await findServerFacts(tx, serverChain),
        await listDeliveryNodes(tx),
      ])
      return { facts, deliveryNodes, checks: await checks() }
    },
    present: (status) => presentStatus(deps, status),
  })
}

interface StatusParts {
  readonly facts: ServerFacts
  readonly deliveryNodes: readonly DeliveryNode[]
  readonly checks: Readonly<Record<string, ReadinessCheck>>
}

function presentStatus(
  { version, startedAt, engine, roles }: ServerStatusDeps,
  { facts, deliveryNodes, checks }: StatusParts,
): ServerStatus {
  const { databaseVersion, sizeBytes, nodes, waiting, running, oldestWaitingSeconds } = facts
  const isEmbedded = engine === 'embedded'
  return {
    version,
    startedAt: startedAt.toISOString(),
    storage: {
      engine,
      version: databaseVersion,
      releasedOn: isEmbedded ? releaseDayOf(databaseVersion) : null,
      sizeBytes,
      waitsForStandby: isEmbedded ? null : facts.waitsForStandby,
    },
    roles: [...roles],
    nodes,
    deliveryNodes: deliveryNodes.map(presentNode),
    queues: { waiting, running, oldestWaitingSeconds },
    failedJobs: facts.failedJobs,
    lastBackupAt: facts.lastBackupAt?.toISOString() ?? null,
    checks: Object.fromEntries(
      Object.entries(checks).map(([name, { ok, detail, warning }]) => [
        name,
        { ok, detail, ...(warning === true && { warning }) },
      ]),
    ),
  }
}

const nodeShape = deliveryNode.pick({ carrier: true, state: true })

function presentNode({ asOf, reportedAt, carrier, state, ...node }: DeliveryNode) {
  return {
    ...node,
    ...nodeShape.parse({ carrier, state }),
    asOf: asOf?.toISOString() ?? null,
    reportedAt: reportedAt.toISOString(),
  }
}
