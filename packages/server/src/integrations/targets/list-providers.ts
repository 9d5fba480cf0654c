import { toHref } from '@signalbox/contract'
import type { ResponseOf, targetEndpoints } from '@signalbox/contract/rest'
import type { Integration } from '../integration.ts'
import { isUsable } from '../integration.ts'
import { listIntegrationRows } from '../rows.ts'
import { destinations, findProvider } from '../../providers/find-provider.ts'
import type { Destination } from '../../providers/provider.ts'
import type { Store } from '../../store/store.ts'
import type { Scope } from '../../store/scope.ts'
import type { TargetDeps } from './target-deps.ts'

type ShownProvider = ResponseOf<typeof targetEndpoints.listTargetProviders>['items'][number]

/** Lists what values can be written to, and what has to be done first. */
export async function listTargetProviders(
  {
    store,
    contextOf,
  }: { readonly store: Pick<Store, 'transaction'> } & Pick<TargetDeps, 'contextOf'>,
  scope: Scope,
  orgId: string,
): Promise<ShownProvider[]> {
  const integrations = await store.transaction(scope, (tx) => listIntegrationRows(tx, orgId))
  return destinations.map((destination) => present(destination, integrations, { contextOf }))
}

function present(
  { name, displayName, target }: Destination,
  integrations: readonly Integration[],
  { contextOf }: Pick<TargetDeps, 'contextOf'>,
): ShownProvider {
  const kind = findProvider(name)?.kind
  const connected = integrations.find(
    (integration) => integration.provider === name && isUsable(integration),
  )
  const isUsableNow = target.access === 'token' || connected !== undefined
  return {
    provider: name,
    displayName,
    description: target.description,
    access: target.access,
    tokenAdvice: target.tokenAdvice ?? null,
    isUsable: isUsableNow,
    next:
      isUsableNow || kind === undefined
        ? null
        : {
            label: `Connect ${displayName}`,
            href: toHref({ page: 'integration', params: { kind } }),
          },
    permissions: (target.permissions ?? []).map((permission) => ({
      name: permission.name,
      granted: connected === undefined ? null : connected.scopes.includes(permission.scope),
    })),
    permissionsUrl: target.permissionsUrl?.(contextOf(name)) ?? null,
    fields: target.fields.map((field) => ({
      name: field.name,
      label: field.label,
      hint: field.hint ?? null,
      placeholder: field.placeholder ?? null,
      required: field.isRequired,
      kind: field.kind,
      choices: (field.choices ?? []).map((choice) => ({ ...choice })),
    })),
  }
}
