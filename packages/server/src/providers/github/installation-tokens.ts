import { z } from 'zod'
import { callProvider, type ProviderCall } from '../call-provider.ts'
import { readAnswer } from './api-request.ts'
import { signAppToken } from './app-token.ts'
import type { GithubApp } from './application.ts'
import { moment } from './shapes.ts'

/** Describes tokens of installations: each for an hour, made again from the App's key whenever one is needed. Nothing is lost with one. */
export interface InstallationTokens {
  /** @throws {ProviderError} `notFound` when the App was uninstalled, `forbidden` while it is suspended. */
  get(installationId: string): Promise<string>
  /**
   * Forgets a token that GitHub refused, so that the next call makes another. Does nothing once another is held or
   * being made: of many calls with the refused one, all get the same next one.
   */
  forget(installationId: string, refused: string): void
}

const created = z.object({ token: z.string(), expires_at: moment })
/** A token is not used any more so long before its end. */
const marginMs = 5 * 60_000
/** A new token is used so long, whatever this host's clock says of its end: GitHub judges that, and refuses it if need be. */
const usedMsMin = 5 * 60_000
const keptMax = 10_000

interface HeldToken {
  token: Promise<string>
  /** Undefined until GitHub has answered. */
  made: string | undefined
  untilMs: number
}

/** Creates what holds the tokens of installations. */
export function createInstallationTokens(deps: {
  readonly call: ProviderCall
  /** Example: `https://api.github.com`. */
  readonly apiUrl: string
  readonly app: Pick<GithubApp, 'appId' | 'privateKey'>
}): InstallationTokens {
  const { call, apiUrl, app } = deps
  const held = new Map<string, HeldToken>()
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
      const entry: HeldToken = {
        token: Promise.resolve(''),
        made: undefined,
        untilMs: Number.POSITIVE_INFINITY,
      }
      const token = make(installationId).then(
        ({ token: made, expires_at }) => {
          entry.made = made
          entry.untilMs = Math.max(
            expires_at.getTime() - marginMs,
            call.now().getTime() + usedMsMin,
          )
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
    forget(installationId, refused) {
      if (held.get(installationId)?.made === refused) held.delete(installationId)
    },
  }
}
