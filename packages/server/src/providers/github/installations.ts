import { z } from 'zod'
import { callProvider, type ProviderCall } from '../call-provider.ts'
import { readAnswer } from './api-request.ts'
import { signAppToken } from './app-token.ts'
import type { GithubApp } from './application.ts'
import { externalId } from '../codehosts/fields.ts'

/** Describes an App installed on an account. */
export interface GithubInstallation {
  /** Digits. */
  readonly id: string
  readonly accountName: string
  readonly accountUrl: string | null
  /** Lists what it may do, `write` with the `read` that it includes. Example: `['deployments:read']`. */
  readonly scopes: readonly string[]
  readonly isSuspended: boolean
}

const installation = z.object({
  id: externalId,
  account: z.object({ login: z.string(), html_url: z.string().optional() }).nullish(),
  permissions: z.record(z.string(), z.string()).default({}),
  suspended_at: z.string().nullish(),
})
const userInstallations = z.object({ installations: z.array(installation) })

const pageItems = 100
const pagesMax = 50

/** Reads installations, as the person who made one and as the App. */
export interface GithubInstallations {
  /**
   * The installation, if the person whose token it is may use it. The number in the address that the browser came back to
   * can be anybody's.
   *
   * @see https://docs.github.com/en/apps/creating-github-apps/registering-a-github-app/about-the-setup-url
   */
  findOfUser(userToken: string, installationId: string): Promise<GithubInstallation | undefined>
  get(installationId: string): Promise<GithubInstallation>
  /**
   * Ends a token of a person: the proof is not needed any more. It ends this one alone, because to end the person's grant ends every
   * token of it, and the same person may be connecting another organization.
   *
   * @see https://docs.github.com/en/rest/apps/oauth-applications#delete-an-app-token
   */
  revokeToken(userToken: string): Promise<void>
  /** Removes the App from the account. One that is gone already is fine. */
  uninstall(installationId: string): Promise<void>
}

/** Creates what asks about installations. */
export function createGithubInstallations(deps: {
  readonly call: ProviderCall
  readonly apiUrl: string
  readonly app: Pick<GithubApp, 'appId' | 'privateKey' | 'clientId' | 'clientSecret'>
}): GithubInstallations {
  const { call, apiUrl, app } = deps
  const asApp = async () => ({
    authorization: `Bearer ${await signAppToken(app, call.now())}`,
  })
  return {
    async findOfUser(userToken, installationId) {
      for (let page = 1; page <= pagesMax; page += 1) {
        const answer = await callProvider(call, {
          url: `${apiUrl}/user/installations?per_page=${pageItems}&page=${page}`,
          headers: { authorization: `Bearer ${userToken}` },
        })
        const { installations } = readAnswer(answer, userInstallations)
        const match = installations.find(({ id }) => id === installationId)
        if (match !== undefined) return toInstallation(match)
        if (installations.length < pageItems) return undefined
      }
      return undefined
    },
    async get(installationId) {
      const answer = await callProvider(call, {
        url: `${apiUrl}/app/installations/${encodeURIComponent(installationId)}`,
        headers: await asApp(),
      })
      return toInstallation(readAnswer(answer, installation))
    },
    async revokeToken(userToken) {
      const basic = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')
      await callProvider(call, {
        method: 'DELETE',
        url: `${apiUrl}/applications/${encodeURIComponent(app.clientId)}/token`,
        headers: { authorization: `Basic ${basic}` },
        json: { access_token: userToken },
        // It has ended by itself.
        accept: [404, 422],
      })
    },
    async uninstall(installationId) {
      await callProvider(call, {
        method: 'DELETE',
        url: `${apiUrl}/app/installations/${encodeURIComponent(installationId)}`,
        headers: await asApp(),
        accept: [404],
      })
    },
  }
}

function toInstallation(parsed: z.output<typeof installation>): GithubInstallation {
  const { id, account, permissions, suspended_at } = parsed
  return {
    id,
    accountName: account?.login ?? '',
    accountUrl: account?.html_url ?? null,
    scopes: Object.entries(permissions).flatMap(([name, access]) => toScopes(name, access)),
    isSuspended: typeof suspended_at === 'string',
  }
}

function toScopes(name: string, access: string): string[] {
  return access === 'write' ? [`${name}:read`, `${name}:write`] : [`${name}:${access}`]
}
