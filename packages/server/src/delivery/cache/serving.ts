import type { ServerResponse } from 'node:http'
import { createAllowances } from '../http/allowances.ts'
import { createAnswerCounts } from '../http/answer-counts.ts'
import { createArchive } from '../disk/archive.ts'
import { createAuthenticate } from '../http/authenticate.ts'
import { createBrowserAnswers } from '../browser/answer-browser.ts'
import type { DeliveryDeps } from '../delivery-deps.ts'
import type { DeliveryHandlerDeps } from '../http/handler.ts'
import { createHeaderPolicies } from '../http/header-policy.ts'
import { renderEvent, renderRefetch } from '../streams/event-stream.ts'
import type { Holdings } from './holdings.ts'
import { createKeyUses, type KeyUses } from '../http/key-uses.ts'
import { createOfrepAnswers } from '../ofrep/answer-ofrep.ts'
import type { Published } from './published.ts'
import { createRoutes } from '../http/routes.ts'
import { listBrowserRows, listServerRows } from './rows.ts'
import { createServerAnswers } from '../server/answer-server.ts'
import type { Shelf } from './shelf.ts'
import { createStreamAdmission } from '../streams/stream-admission.ts'
import type { AcceptStreamDeps } from '../fast/accept-stream.ts'
import type { Audience } from '../streams/stream-registry.ts'
import { createStreams, unlimitedStreams, type Streams } from '../streams/streams.ts'

/** Everything between a request and what is held in memory, shared by the addresses that requests come in at. */
export interface Serving extends DeliveryHandlerDeps, AcceptStreamDeps {
  readonly uses: KeyUses
}

export function createServing(deps: DeliveryDeps, holdings: Holdings): Serving {
  const { metrics, limiter, clientAddress, ring, now, log } = deps
  const limited = {
    limiter,
    recordRateLimited: (rateClass: string) => metrics.recordRateLimited(rateClass),
  }
  const allowances = createAllowances({ ...limited, clientAddress })
  const streams = createStreams({
    metrics,
    limits: deps.streamLimits ?? (allowances.policy === undefined ? unlimitedStreams : undefined),
    admit: createStreamAdmission(limited),
  })
  tellStreams(streams, { audience: 'browser', shelf: holdings.browser, render: renderEvent })
  tellStreams(streams, { audience: 'server', shelf: holdings.server, render: renderEvent })
  tellStreams(streams, { audience: 'ofrep', shelf: holdings.browser, render: renderRefetch })
  const answers = createAnswers(deps, holdings, allowances.policy)
  const uses = createKeyUses()
  return {
    ...answers,
    authenticate: createAuthenticate({ ...deps, uses, addressOf: allowances.addressOf }),
    uses,
    allowances,
    streams,
    routes: createRoutes({ ...answers, streams, allowances, ring }),
    unfinished: new Set<ServerResponse>(),
    answerCounts: createAnswerCounts(),
    now,
    log,
  }
}

function createAnswers(
  { store, ring }: DeliveryDeps,
  { browser, server, secrets, disk }: Holdings,
  rateLimitPolicy: string | undefined,
) {
  const reader = store.delivery
  const policies = createHeaderPolicies(rateLimitPolicy)
  return {
    ofrep: createOfrepAnswers({ shelf: browser, policies, ring }),
    browser: createBrowserAnswers({
      shelf: browser,
      archive: createArchive(browser, disk.browser, (wanted) => listBrowserRows(reader, wanted)),
      policies,
    }),
    server: createServerAnswers({
      shelf: server,
      archive: createArchive(server, disk.server, (wanted) => listServerRows(reader, wanted)),
      secrets,
      rateLimitPolicy,
    }),
  }
}

interface Told<Item extends Published> {
  readonly audience: Audience
  readonly shelf: Shelf<Item>
  readonly render: (item: Item) => Buffer
}

function tellStreams<Item extends Published>(
  streams: Streams,
  { audience, shelf, render }: Told<Item>,
): void {
  shelf.onChange((pair, item) => {
    if (item === undefined) streams.end(audience, pair)
    else streams.send(audience, pair, render(item))
  })
}
