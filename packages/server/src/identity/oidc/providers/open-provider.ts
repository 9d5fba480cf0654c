import type { Egress } from '../../../egress/create-egress.ts'
import type { Store } from '../../../store/store.ts'
import type { OrganizationKeys } from '../../../vault/organization-keys.ts'
import { createOidcProvider, type OidcProvider } from '../oidc-provider.ts'
import { listSignInProviderRows, type SignInProvider } from './rows.ts'

/** Describes the dependencies of the clients of organizations' providers. */
export interface ProviderClientsDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly dataKeys: Pick<OrganizationKeys, 'getSealer'>
  /** Reaches the addresses that people enter. */
  readonly memberEgress: Pick<Egress, 'fetch'>
  readonly publicUrl: () => string
  readonly now: () => Date
}

/** Holds a provider of an organization and its client. */
export interface OpenedProvider {
  readonly row: SignInProvider
  readonly client: OidcProvider
}

/** Opens the clients of organizations' providers. */
export interface ProviderClients {
  /** Returns a provider as it is now; `undefined` when it was removed. */
  open(orgId: string, id: string): Promise<OpenedProvider | undefined>
}

/** Keeps what the providers say of themselves for so many of them. */
const mostClients = 200

/** Names where the secret of a provider is stored, which is part of what is sealed. */
export const secretContext = (orgId: string, id: string) => `${orgId}|sign_in_providers|${id}`

/** Returns the path that a browser comes back to. It is of one organization, so that no provider gets a code of another one's. */
export const callbackPath = (orgId: string) => `/sign-in/oidc/callback/${orgId}`

/** Creates the clients. Each is made again after a change of its provider. */
export function createProviderClients(deps: ProviderClientsDeps): ProviderClients {
  const { store, dataKeys, memberEgress, publicUrl, now } = deps
  const known = new Map<string, OpenedProvider>()
  return {
    async open(orgId, id) {
      const stored = await store.transaction({ orgId }, async (tx) => {
        const row = (await listSignInProviderRows(tx, orgId)).find((each) => each.id === id)
        return row && { row, sealer: await dataKeys.getSealer(tx, orgId) }
      })
      if (stored === undefined) return undefined
      const { row, sealer } = stored
      const before = known.get(id)
      if (before?.row.revision === row.revision) return before
      const { issuer, clientId, name } = row
      const clientSecret = sealer.open(secretContext(orgId, id), row.sealedSecret).toString()
      const client = createOidcProvider({
        settings: {
          issuer,
          clientId,
          clientSecret,
          name,
          scope: undefined,
          groupsClaim: row.groupsClaim,
        },
        fetch: memberEgress.fetch,
        callbackPath: callbackPath(orgId),
        publicUrl,
        now,
      })
      if (known.size >= mostClients) known.clear()
      const pair = { row, client }
      known.set(id, pair)
      return pair
    },
  }
}
