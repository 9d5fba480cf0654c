import type { OpenedBefore } from '../../app.ts'
import { createCredentialGuard } from '../../http/admission/credential-guard.ts'
import { createHashRequest } from '../../http/admission/idempotency-key.ts'
import { createHttpServer } from '../../http/http-server.ts'
import { createBodyBudget } from '../../http/input/body-budget.ts'
import { createCursors } from '../../http/input/cursors.ts'
import { toNodeListener, type NodeListener } from '../../http/node-listener.ts'
import { createRouter } from '../../http/router.ts'
import type { Feature, Kit, Listening } from '../../kit.ts'
import { settleWithin } from '../../store/follow/settle-within.ts'
import { deriveActiveKey } from '../../vault/derive-active-key.ts'
import { shareConnections } from './share-connections.ts'

/** Limits the time that accepted requests have to finish once the process must stop. */
const drainMs = 5_500

/** Limits how long the answer to a write waits for this node to serve it. It says so in a header when it could not. */
const readBackMs = 2_000

/** Describes what the API's address is opened with. */
export interface ListenForApi extends Pick<OpenedBefore, 'people' | 'delivery' | 'keyFeed'> {
  readonly features: readonly Feature[]
  /** Set to where browsers reach the API. */
  readonly address: { url: string }
  readonly listening: Listening[]
}

/** Mounts the features, opens the API's address and returns its URL. */
export async function listenForApi(kit: Kit, options: ListenForApi): Promise<string> {
  const { settings, metrics, now } = kit
  const { features, delivery, address, listening } = options
  const server = createHttpServer({
    listener: await mountFeatures(kit, options),
    connections: shareConnections(kit, 'api'),
    metrics,
    now,
  })
  const url = await server.listen({ host: settings.host, port: settings.apiPort })
  address.url = settings.publicUrl ?? url
  listening.push({
    drain(overMs) {
      server.drain()
      delivery?.drain(overMs)
      for (const feature of features) feature.drainStreams?.(overMs)
    },
    close() {
      // Before the server waits for its answers to finish: a stream never does by itself.
      delivery?.endStreams()
      for (const feature of features) feature.endStreams?.()
      return server.close(drainMs)
    },
  })
  return address.url
}

const mib = 1024 * 1024

/** Mounts the features, and the paths of the delivery where it is in this process. */
async function mountFeatures(
  kit: Kit,
  { features, people, delivery, keyFeed }: ListenForApi,
): Promise<NodeListener> {
  const { rootKeys, settings } = kit
  const { bodyMiB, bodyMiBPerAddress } = settings.capacities
  const router = createRouter({
    ...kit,
    ...people,
    readBack: () => settleWithin(delivery ? [keyFeed, delivery] : [keyFeed], readBackMs),
    bodies: createBodyBudget({
      totalBytes: bodyMiB * mib,
      addressBytes: bodyMiBPerAddress * mib,
    }),
    guard: createCredentialGuard(kit.limiter),
    cursors: createCursors(deriveActiveKey(rootKeys, 'cursors')),
    hashRequest: createHashRequest(deriveActiveKey(rootKeys, 'idempotency')),
  })
  for (const feature of features) await feature.mount?.(router)
  const api = toNodeListener(router.build())
  const deliver = delivery?.handlerFor({ crossOrigin: false })
  return (request, response) => {
    if (deliver?.(request, response) !== true) api(request, response)
  }
}
