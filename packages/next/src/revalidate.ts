import { revalidateTag } from 'next/cache.js'
import { configTag } from './server/config-tags.ts'
import { readConfigMessage } from './webhook/config-message.ts'
import { importSecret, isGenuine } from './webhook/standard-webhooks.ts'

/** Describes how messages are checked, and what they revalidate. */
export interface RevalidateOptions {
  /** Holds `whsec_` and the base64 of 16 to 64 random bytes. The sender has the same. */
  readonly secret: string
  /**
   * Sets what the next visitor gets. `max` (default): the old page, while a new one is rendered. `{ expire: 0 }`: the
   * new one, after waiting for it.
   */
  readonly profile?: string | { readonly expire: number } | undefined
}

/** Limits a message, which holds two names. */
const bodyBytes = 4_096

/**
 * Creates the `POST` of a route that Signalbox calls after a change of the configuration. It makes Next.js render
 * again what it has cached of it. It takes messages that are signed as Standard Webhooks are
 * (https://www.standardwebhooks.com).
 *
 * @example
 * ```ts
 * import { createRevalidateHandler } from '@signalbox/next/revalidate'
 *
 * export const POST = createRevalidateHandler({ secret: process.env.CONFIG_WEBHOOK_SECRET ?? '' })
 * ```
 *
 * Answers 200 with the tags; 401 without a valid signature of the last five minutes, 413 for more than 4 KiB, 422 for
 * a message about something else, 500 without a secret of the right form.
 */
export function createRevalidateHandler({
  secret,
  profile = 'max',
}: RevalidateOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const key = await importSecret(secret).catch((error: unknown) => {
      // oxlint-disable-next-line no-console
      console.error(`Signalbox: ${String(error)}`)
    })
    if (!key) return refuse(500, 'This server has no secret to verify messages')
    const body = await readBody(request)
    if (body === undefined) return refuse(413, `A message has at most ${bodyBytes} bytes`)
    const { headers } = request
    const parts = {
      id: headers.get('webhook-id') ?? '',
      timestamp: headers.get('webhook-timestamp') ?? '',
      body,
    }
    const signature = headers.get('webhook-signature') ?? ''
    if (!(await isGenuine(key, parts, signature, Date.now() / 1_000))) {
      return refuse(401, 'The signature is missing, wrong or older than five minutes')
    }
    const changed = readConfigMessage(body)
    if (changed === undefined) return refuse(422, 'The message is not about configuration')
    const tag = configTag(changed.orgId, changed.environment)
    revalidateTag(tag, profile)
    return Response.json({ revalidated: [tag] })
  }
}

/** Returns the body, or `undefined` when it is longer than any message. */
async function readBody({ body }: Request): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > bodyBytes) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function refuse(status: number, error: string): Response {
  return Response.json({ error }, { status })
}
