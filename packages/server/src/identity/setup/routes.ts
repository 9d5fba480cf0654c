import { setupEndpoints as endpoints } from '@signalbox/contract/rest'
import type { Router } from '../../http/router.ts'
import { presentApiKey } from '../api-keys/present-api-key.ts'
import { toAuditRequest } from '../../audit/caller.ts'
import { presentOrganization } from '../organizations/present-organization.ts'
import { renderSessionCookie } from '../sessions/session.ts'
import { completeSetup, type CompleteSetupDeps } from './complete-setup.ts'

export interface SetupRoutesDeps extends CompleteSetupDeps {
  /** Where applications read their configuration. Asked each time: with port 0 it is known only after the start. */
  readonly configUrl: () => string
}

/** Mounts `POST /setup`. */
export function mountSetup(router: Router, deps: SetupRoutesDeps): void {
  router.add(endpoints.completeSetup, {
    handle: (request) => completeSetup(deps, { ...request.body, request: toAuditRequest(request) }),
    present: ({ user, organization, environments, keys }) => ({
      user,
      organization: presentOrganization(organization),
      environments: environments.map(({ id, name }) => ({ id, name })),
      keys: keys.map((key) => ({ ...presentApiKey(key, deps.now()), secret: key.secret })),
      configUrl: deps.configUrl(),
    }),
    headers: ({ session }) => ({
      'Set-Cookie': renderSessionCookie(session.token, session.expiresAt),
    }),
  })
}
