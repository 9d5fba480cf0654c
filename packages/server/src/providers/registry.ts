import { github } from './github/index.ts'
import { jira } from './jira/index.ts'
import type { Destination, Provider } from './provider.ts'
import { slack } from './slack/index.ts'
import { vercel } from './vercel/index.ts'

/** Lists every provider of this service. Of several of a kind the first is shown where none is connected. */
export const providers: readonly Provider[] = [github, jira, slack]

/** Lists what values can be written to: providers that organizations connect, and others. */
export const destinations: readonly Destination[] = [
  ...providers.filter(
    (provider): provider is Provider & Destination => provider.target !== undefined,
  ),
  vercel,
]

/** Lists everything that has an address of its own. */
export const addressed: readonly (Pick<Provider, 'name' | 'addresses'> &
  Partial<Pick<Provider, 'application'>>)[] = [
  ...providers,
  ...destinations.filter(({ name }) => providers.every((provider) => provider.name !== name)),
]
