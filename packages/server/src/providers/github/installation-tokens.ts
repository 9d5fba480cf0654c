import { z } from 'zod'
import { callProvider, type ProviderCall } from '../call-provider.ts'
import { readAnswer } from './api-request.ts'
import { signAppToken } from './app-token.ts'
import type { GithubApp } from './oauth.ts'
import { moment } from './shapes.ts'

/** Describes tokens of installations: each for an hour, made again from the App's key whenever one is needed. Nothing is lost with one. */
export interface InstallationTokens {
  /** @throws {ProviderError} `notFound` when the App was uninstalled, `forbidden` while it is suspended. */
  get(installationId: string): Promise<string>
  /** Forgets a token that GitHub refused, so that the next call makes another. */
  forget(installationId: string): void
}

const created = z.object({ token: z.string(), expires_at: moment })
/** A token is not used any more so long before its end. */
const marginMs = 5 * 60_000
const keptMax = 10_000

/** Creates what holds the tokens of installations. */
export function createInstallationTokens(deps: {
  readonly call: ProviderCall
  /** Example: `https://api.github.com`. */
  readonly apiUrl: string
  readonly app: Pick<GithubApp, 'appId' | 'privateKey'>
}): InstallationTokens {
  const { call, apiUrl, app } = deps
  const held = new Map<string, { readonly token: Promise<string>; untilMs: number }>()
  const make = async (installationId: string) => {
    const answer = await callProvider(call, {
      method: 'POST',
      url: `${apiUrl}/app/installations/${encodeURIComponent(installationId)}/access_tokens`,
      // One token more or less changes nothing.
      isSafe: true,
      headers: { authorization: `Bearer ${await signAppToken(app, call.now())}` },
    })
    return readAnswer(answer, created)
  }
  return {
    get(installationId) {
      const known = held.get(installationId)
      if (known !== undefined && known.untilMs > call.now().getTime()) return known.token
      // Until GitHub answers, all callers share this call.
      const entry = { token: Promise.resolve(''), untilMs: Number.POSITIVE_INFINITY }
      const token = make(installationId).then(
        ({ token: made, expires_at }) => {
          entry.untilMs = expires_at.getTime() - marginMs
          return made
        },
        (error: unknown) => {
          held.delete(installationId)
          throw error
        },
      )
      entry.token = token
      if (held.size >= keptMax) held.clear()
      held.set(installationId, entry)
      return token
    },
    forget: (installationId) => void held.delete(installationId),
  }
}
