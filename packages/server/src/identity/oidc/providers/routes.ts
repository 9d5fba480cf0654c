import { Problem } from '@signalbox/contract'
import {
  signInProviderEndpoints as endpoints,
  type SignInProviderDocument,
} from '@signalbox/contract/rest'
import { presentAuthor, presentCredential } from '../../../audit/author.ts'
import { IssuerUnreachable } from '../../api-keys/service-accounts/issuer-keys.ts'
import type { RawAnswer } from '../../../http/input/endpoint-request.ts'
import type { Router } from '../../../http/router.ts'
import { toCaller } from '../../caller.ts'
import { domainOf } from '../../members/email-domains/email-domain.ts'
import { beginOidc, type BegunOidc } from '../begin-oidc.ts'
import type { OidcDeps } from '../oidc-deps.ts'
import { OidcError } from '../oidc-error.ts'
import {
  addProvider,
  changeProvider,
  removeProvider,
  type ChangeProvidersDeps,
} from './change-providers.ts'
import { logoutByProvider, type LogoutDeps } from './logout.ts'
import { callbackPath } from './open-provider.ts'
import { findProviderOfDomain, listSignInProviderRows, type SignInProvider } from './rows.ts'

export interface ProviderRoutesDeps extends ChangeProvidersDeps, LogoutDeps, OidcDeps {
  readonly now: () => Date
  readonly publicUrl: () => string
  readonly store: OidcDeps['store']
}

/** Mounts the OpenID providers of organizations: `/organizations/{org_id}/sign-in-providers`, and signing in and out with them. */
export function mountProviders(
  router: Router,
  deps: ProviderRoutesDeps,
  renderCookie: (cookie: string) => string,
): void {
  const present = (row: SignInProvider) => presentProvider(row, deps.publicUrl())
  router
    .add(endpoints.listSignInProviders, {
      handle: ({ organization, scope }) =>
        deps.store.transaction(scope, (tx) => listSignInProviderRows(tx, organization.id)),
      present: (rows) => ({ items: rows.map(present) }),
    })
    .add(endpoints.createSignInProvider, {
      handle: (request) =>
        addProvider(deps, {
          ...request.body,
          orgId: request.organization.id,
          caller: toCaller(request),
        }),
      present,
    })
    .add(endpoints.updateSignInProvider, {
      handle: (request) =>
        changeProvider(deps, {
          orgId: request.organization.id,
          id: request.params.provider_id,
          changes: request.body,
          caller: toCaller(request),
        }),
      present,
    })
    .add(endpoints.removeSignInProvider, {
      handle: (request) =>
        removeProvider(deps, {
          orgId: request.organization.id,
          id: request.params.provider_id,
          caller: toCaller(request),
        }),
    })
    .add(endpoints.beginProviderSignIn, {
      handle: ({ body }) => beginByDomain(deps, domainOf(body.email), body.returnTo),
      present: ({ name, url }) => ({ name, url }),
      headers: ({ cookie }) => ({ 'Set-Cookie': renderCookie(cookie) }),
    })
    .addRaw(endpoints.logoutByProvider, async ({ params, header, readBytes }) => {
      const isForm = header('content-type')?.startsWith('application/x-www-form-urlencoded')
      const token = new URLSearchParams((await readBytes()).toString('utf8')).get('logout_token')
      if (isForm !== true || token === null) return refuseLogout('Send logout_token as a form.')
      const orgId = params.organization_id
      return logoutByProvider(deps, { orgId, token }).then(
        (violation) => (violation === undefined ? loggedOut : refuseLogout(violation)),
        (error: unknown) => {
          if (error instanceof IssuerUnreachable) return refuseLogout('Its keys cannot be read.')
          throw error
        },
      )
    })
}

/**
 * Begins a sign-in with the provider of a domain. It looks for no account, so the answer is the same whoever has one.
 *
 * @throws {Problem} `provider_not_set_up`, `provider_error`
 */
async function beginByDomain(
  deps: ProviderRoutesDeps,
  domain: string,
  returnTo: string | undefined,
): Promise<BegunOidc & Pick<SignInProvider, 'name'>> {
  const row = await deps.store.maintenance((tx) => findProviderOfDomain(tx, domain))
  const provider = row && (await deps.providers.open(row.orgId, row.id))
  if (provider === undefined) {
    const detail =
      'No organization here signs in people of this domain. Sign in with your password, or check the address.'
    throw new Problem('provider_not_set_up', detail)
  }
  const { orgId, id, name } = provider.row
  const attempt = { purpose: 'sign_in', userId: null, returnTo } as const
  const of = { orgId, id }
  try {
    return { name, ...(await beginOidc(deps, { ...attempt, provider: provider.client, of })) }
  } catch (error) {
    if (!(error instanceof OidcError)) throw error
    deps.log.warn('The provider of an organization is not responding', {
      code: error.rejection,
      reason: error.message,
    })
    const detail =
      'The provider of your organization is not responding correctly. Try again in a few minutes.'
    throw new Problem('provider_error', detail)
  }
}

const noStore = { 'Cache-Control': 'no-store' }
/** Answers as OpenID Connect Back-Channel Logout 1.0 §2.8 says. */
const loggedOut: RawAnswer = { status: 200, headers: noStore, body: '' }

function refuseLogout(description: string): RawAnswer {
  return {
    status: 400,
    headers: { ...noStore, 'Content-Type': 'application/json' },
    body: JSON.stringify({ error: 'invalid_request', error_description: description }),
  }
}

function presentProvider(row: SignInProvider, publicUrl: string): SignInProviderDocument {
  const { orgId, id, name, issuer, clientId, groupsClaim, createdAt, createdBy } = row
  return {
    id,
    name,
    issuer,
    clientId,
    groupsClaim,
    callbackUrl: `${publicUrl}${callbackPath(orgId)}`,
    logoutUrl: `${publicUrl}/sign-in/oidc/logout/${orgId}`,
    createdAt: createdAt.toISOString(),
    createdBy: presentAuthor(createdBy),
    createdWith: presentCredential(createdBy),
  }
}
