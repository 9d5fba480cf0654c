import { createClock } from './clock.ts'
import { createControlRoutes } from './control/control-routes.ts'
import { register, settingsOf, usualParticipants } from './control/participants.ts'
import { createFaults, type Faults } from './http/faults.ts'
import { createRequestLog } from './http/request-log.ts'
import { serve } from './http/serve.ts'
import type { PlayedProvider, StandIn } from './models/stand-in.ts'
import { createPushPage } from './push-page/create-push-page.ts'
import type { Providers, Sandbox } from './sandbox.ts'
import { createScheduler } from './scheduler.ts'
import { createStage } from './stage/create-stage.ts'
import { standIns } from './stand-ins.ts'

/** Describes where the sandbox listens. */
interface SandboxOptions {
  /** Holds the host. Default 127.0.0.1, because the sandbox admits everybody who reaches it. */
  readonly host?: string
  /** Holds the port. Default 0: any free one. */
  readonly port?: number
}

/** Starts the sandbox, and resolves when it listens. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0 } = options
  const clock = createClock()
  const faults = createFaults()
  const log = createRequestLog()
  const played: readonly Played[] = Object.entries<StandIn>(standIns).map(([name, standIn]) => ({
    name,
    standIn,
    provider: standIn.create({ clock }),
  }))
  const providers = played.map(({ provider }) => provider)
  const scheduler = createScheduler(clock)
  const stage = createStage({
    codeHosts: providers.flatMap(({ codeHost }) => codeHost ?? []),
    scheduler,
    clock,
    origin: () => sandbox.origin,
  })
  const own = [...createControlRoutes(() => sandbox), ...createPushPage(() => sandbox)]
  const serving = await serve({ host, port, providers, own, faults, log })
  const { origin } = serving
  for (const provider of providers) provider.listenAt?.(origin)
  const { at, ...offers } = offersOf(played, { origin, faults })
  const sandbox: Sandbox = {
    // Each is under the name that the list of stand-ins gives it.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    ...(Object.fromEntries(played.map(({ name, provider }) => [name, provider])) as Providers),
    origin,
    addresses: at,
    clock,
    faults,
    log,
    providers,
    scheduler,
    stage,
    ...offers,
    participants: usualParticipants(offers).map(({ name }) => name),
    settingsOf: (names) => settingsOf(sandbox, names),
    register: (service, names) => register(sandbox, service, names),
    reset() {
      for (const part of [clock, faults, log, scheduler, ...providers, stage]) part.reset()
    },
    close() {
      scheduler.reset()
      return serving.close()
    },
  }
  return sandbox
}

interface Played {
  readonly name: string
  readonly standIn: StandIn
  readonly provider: PlayedProvider
}

/** Returns what the providers add to the addresses, the story and the push page. */
function offersOf(
  played: readonly Played[],
  { origin, faults }: { readonly origin: string; readonly faults: Faults },
) {
  const offers = played.map(({ name, standIn, provider }) => {
    const at = Object.fromEntries(
      Object.entries(standIn.addresses).map(([address, path]) => [address, `${origin}${path}`]),
    )
    return {
      at,
      cast: standIn.participants?.(provider, at) ?? [],
      switches: (standIn.switches?.(provider, faults) ?? []).map((one) => ({ ...one, of: name })),
      settings: (standIn.settings?.(provider) ?? []).map((one) => ({ ...one, of: name })),
    }
  })
  return {
    at: Object.assign({}, ...offers.map(({ at }) => at)),
    // Issues of a code host are usual nowhere.
    cast: offers
      .flatMap(({ cast }) => cast)
      .toSorted((one, other) => Number('sharesWith' in one) - Number('sharesWith' in other)),
    switches: offers.flatMap(({ switches }) => switches),
    settings: offers.flatMap(({ settings }) => settings),
  }
}
