import type { Metrics } from '../../telemetry/metrics.ts'
import { forwardEvents, type ForwardDeps } from './forward-events.ts'
import type { Outlet } from './outlet.ts'
import { forgetFailures, listOutletStates } from './outlet-rows.ts'

/** Describes what a forwarder works with. */
export interface ForwarderDeps extends Omit<ForwardDeps, 'stop' | 'metrics'> {
  readonly metrics: ForwardDeps['metrics'] & Pick<Metrics, 'setAuditOutlet'>
}

/** Looks for events that have not left, until it is closed. */
export interface Forwarder {
  /** Waits for the batch that is under way. */
  close(): Promise<void>
}

const everyMs = 2_000

/** Starts to look every two seconds, through each outlet by itself: a slow receiver holds up no other. */
export function startForwarder(deps: ForwarderDeps, outlets: readonly Outlet[]): Forwarder {
  const stop = new AbortController()
  const underWay = new Map<string, Promise<void>>()
  const poll = (name: string, work: () => Promise<unknown>) => {
    if (stop.signal.aborted || underWay.has(name)) return
    const looking = work()
      .catch((error: unknown) => deps.log.warn('The audit log could not be sent', { error }))
      .then(() => void underWay.delete(name))
    underWay.set(name, looking)
  }
  const pollAll = () => {
    for (const outlet of outlets) {
      poll(outlet.name, () => forwardEvents({ ...deps, stop: stop.signal }, outlet))
    }
    poll('states', () => measure(deps))
  }
  poll('failures', () =>
    deps.store.maintenance((tx) =>
      forgetFailures(
        tx,
        outlets.map(({ name }) => name),
      ),
    ),
  )
  const timer = setInterval(pollAll, everyMs)
  return {
    async close() {
      stop.abort()
      clearInterval(timer)
      await Promise.all(underWay.values())
    },
  }
}

async function measure({ store, metrics, now }: ForwarderDeps): Promise<void> {
  const states = await store.maintenance((tx) => listOutletStates(tx, now()))
  for (const { name, waiting, lagSeconds } of states) {
    metrics.setAuditOutlet({ outlet: name, waiting, lagSeconds: lagSeconds ?? 0 })
  }
}
