import { AdvisedError } from '../advised-error.ts'
import type { AnyConfig, Registered } from '../config-types.ts'
import { addReads } from './add-reads.ts'
import type { ConfigClient, ConfigClientOptions } from './client-types.ts'
import { createPageCore } from './page-development.ts'

export * from './browser.ts'

/** Creates the client that `createConfigClient` creates in a published page, with errors that say what to do. */
export function createConfigClient<C extends AnyConfig = Registered>(
  options: ConfigClientOptions<C>,
): ConfigClient<C> {
  const client = addReads(options, createPageCore)
  const take = client.snapshot.bind(client)
  // The types of the keys exist at compile time only.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.assign(client, {
    ...onServers,
    snapshot: () => Object.assign(take(), onServers),
  }) as ConfigClient<C>
}

const refuse = (read: string) => () => {
  throw new AdvisedError(
    'forbidden',
    `${read}() decides by rules, which no browser gets`,
    'Let the server decide: useValueFor, useFlagFor and useVariantFor of @signalbox/react/context, or any client of OFREP.',
  )
}

/** Lists the reads that only clients on servers have. A published page has no function of these names. */
const onServers = { value: refuse('value'), variant: refuse('variant') }
