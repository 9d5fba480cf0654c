import type { Feature, Kit } from '../kit.ts'
import { deriveActiveKey } from '../vault/derive-active-key.ts'
import { openProviderApps, type OpenProviderApps } from './apps/open-provider-apps.ts'
import { mountProviderApps } from './apps/provider-app-routes.ts'
import { createConnectors } from './connect/connectors.ts'
import type { FinishDeps } from './connect/finish-authorization.ts'
import { openAccess, type Access } from './grants/open-access.ts'
import type { IntegrationDeps } from './integration-deps.ts'
import { workIntegrations } from './jobs.ts'
import type { RegistrationDeps } from './registration/begin-registration.ts'
import { mountRegistration } from './registration/registration-routes.ts'
import { mountIntegrations, type IntegrationRoutesDeps } from './routes.ts'

/** Holds the feature, and what the others need to work with what an organization has connected. */
export interface Integrations
  extends
    Feature,
    Pick<IntegrationDeps, 'connectorOf'>,
    Pick<OpenProviderApps, 'contextOf' | 'egress' | 'serverKeys'>,
    Pick<Access, 'openCodehost' | 'openTracker' | 'openTarget' | 'chat'> {}

/** Describes what integrations need of identity. */
export type IntegrationPorts = Pick<RegistrationDeps, 'authenticate' | 'isOperator'> &
  Pick<FinishDeps, 'holdAdmin'> &
  Pick<IntegrationRoutesDeps, 'findMember'>

/** Opens connecting to providers, this server's applications there, and the access that organizations gave. */
export async function openIntegrations(kit: Kit, ports: IntegrationPorts): Promise<Integrations> {
  const { store, keys, rootKeys, settings, jobs, emit, publicUrl, now } = kit
  const { authenticate, isOperator, holdAdmin, findMember } = ports
  const { contextOf, egress, feed, serverKeys } = await openProviderApps(kit)
  const connectorOf = createConnectors(contextOf)
  const stateKey = deriveActiveKey(rootKeys, 'state')
  const deps: IntegrationDeps = { store, keys, connectorOf, stateKey, publicUrl, emit, now }
  const { grants, openCodehost, openTracker, openTarget, chat } = await openAccess(
    kit,
    contextOf,
    deps,
  )
  const { applications } = settings.providers
  const apps = { store, keys: serverKeys, feed, settings: applications, contextOf, publicUrl, now }
  return {
    connectorOf,
    contextOf,
    egress,
    serverKeys,
    openCodehost,
    openTracker,
    openTarget,
    chat,
    mount(router) {
      mountIntegrations(router, { ...deps, holdAdmin, findMember })
      mountProviderApps(router, apps)
      mountRegistration(router, { ...apps, stateKey, authenticate, isOperator })
    },
    work: () => workIntegrations(jobs, { ...deps, grants, store }),
  }
}
