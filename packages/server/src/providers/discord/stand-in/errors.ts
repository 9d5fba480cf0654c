import { json } from '../../../../../sandbox/src/http/answers.ts'
import type { Answer } from '../../../../../sandbox/src/http/route.ts'

const texts: Readonly<Record<number, readonly [status: number, message: string]>> = {
  10003: [404, 'Unknown Channel'],
  10004: [404, 'Unknown Guild'],
  10007: [404, 'Unknown Member'],
  10008: [404, 'Unknown Message'],
  30046: [429, 'Maximum number of edits to messages older than 1 hour reached. Try again later'],
  40005: [413, 'Request entity too large. Try sending something smaller in size'],
  40333: [
    403,
    'internal network error: Cloudflare is blocking your request. This can often be resolved by setting a proper User Agent',
  ],
  50001: [403, 'Missing Access'],
  50005: [403, 'Cannot edit a message authored by another user'],
  50006: [400, 'Cannot send an empty message'],
  50008: [400, 'Cannot send messages in a non-text channel'],
  50013: [403, 'Missing Permissions'],
  50024: [400, 'Cannot execute action on this channel type'],
  50083: [400, 'Thread is archived'],
  160004: [400, 'A thread has already been created for this message'],
  160005: [400, 'Thread is locked'],
  200000: [400, 'Message was blocked by automatic moderation'],
}

/** Returns Discord's rejection with one of its codes. */
export function refuse(code: number, more: Readonly<Record<string, unknown>> = {}): Answer {
  const [status, message] = texts[code] ?? [400, 'Bad request']
  return json({ message, code, ...more }, status)
}

/** Returns the rejection of a request without a token that works. */
export function unauthorized(): Answer {
  return json({ message: '401: Unauthorized', code: 0 }, 401)
}

/** Returns the rejection of a path or method that the API does not have. */
export function notFound(): Answer {
  return json({ message: '404: Not Found', code: 0 }, 404)
}

/** Describes what is wrong with one field of a form. Example: `['embeds.0.title', 'BASE_TYPE_MAX_LENGTH', 'Must be …']`. */
export type FormViolation = readonly [path: string, code: string, message: string]

/** Returns the rejection of a form. */
export function invalidForm(violations: readonly FormViolation[]): Answer {
  const errors: Record<string, unknown> = {}
  const byPath = new Map<string, Record<string, unknown>>()
  for (const [path, code, message] of violations) {
    let at = errors
    let reached = ''
    for (const part of path.split('.')) {
      reached = `${reached}.${part}`
      const below = byPath.get(reached) ?? {}
      byPath.set(reached, below)
      at[part] = below
      at = below
    }
    at['_errors'] = [{ code, message }]
  }
  return json({ message: 'Invalid Form Body', code: 50_035, errors }, 400)
}

/** Returns the rejection of a call that came too early. */
export function tooMany(afterSeconds: number, isGlobal = false): Answer {
  const body = {
    message: 'You are being rate limited.',
    retry_after: afterSeconds,
    global: isGlobal,
  }
  const headers = {
    'retry-after': String(Math.ceil(afterSeconds)),
    'x-ratelimit-scope': isGlobal ? 'global' : 'user',
    ...(isGlobal && { 'x-ratelimit-global': 'true' }),
  }
  return json(body, 429, headers)
}
