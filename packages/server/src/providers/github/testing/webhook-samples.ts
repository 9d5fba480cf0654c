import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const collection = z.array(
  z.object({ name: z.string(), examples: z.array(z.record(z.string(), z.unknown())) }),
)

/** One webhook that GitHub sent. */
export interface WebhookSample {
  readonly event: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** Every sample of GitHub's own collection: 58 events. */
export function readWebhookSamples(): WebhookSample[] {
  const file = fileURLToPath(import.meta.resolve('@octokit/webhooks-examples'))
  const events = collection.parse(JSON.parse(readFileSync(file, 'utf8')))
  return events.flatMap(({ name, examples }) =>
    examples.map((payload) => ({ event: name, payload })),
  )
}
