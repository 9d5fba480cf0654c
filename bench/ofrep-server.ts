import type { WrittenRule } from '@signalbox/contract'
import {
  openTestDelivery,
  testSnapshot,
} from '../packages/server/src/delivery/testing/test-delivery.ts'
import { defaultRateLimits } from '../packages/server/src/http/admission/rate-classes.ts'

/**
 * A delivery in a process of its own with fifty flags, of which twenty have rules: the real listener, handler, key cache and
 * limits, fed from memory. Started with a list of bodies of evaluation requests on its standard input; says on one line where it
 * listens, with which key, and what it answers to each.
 */
const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
const bodies: readonly string[] = JSON.parse(Buffer.concat(chunks).toString())
const plenty = { perSecond: 10_000_000, burst: 10_000_000 }
const delivery = await openTestDelivery({
  rateLimits: { ...defaultRateLimits, delivery: plenty, deliveryNode: plenty },
})

/** Lists typical rules: one for those who always see the flag, one for those who never do, and a share of the rest. */
const rules: readonly WrittenRule[] = [
  { when: [{ attribute: 'email', operator: 'endsWith', value: '@acme.example' }], serve: true },
  {
    when: [
      { attribute: 'country', operator: 'in', values: ['DE', 'AT', 'CH'], not: true },
      { attribute: 'plan', operator: 'equals', value: 'pro' },
      { attribute: 'appVersion', operator: 'semver', value: '>=2.1.0' },
    ],
    serve: false,
  },
  { when: [], serve: { percent: 25 } },
]

const names = Array.from(
  { length: 50 },
  (_, index) => `featureFlag${String(index).padStart(4, '0')}`,
)
await delivery.publish({
  ...testSnapshot,
  featureFlags: Object.fromEntries(names.map((name, index) => [name, index % 3 === 0])),
  flagSources: Object.fromEntries(names.map((name) => [name, 'set' as const])),
  flagRules: Object.fromEntries(
    names.filter((_, index) => index % 5 < 2).map((name) => [name, rules]),
  ),
})
const { token, headers } = delivery.addKey('b2m', { environmentIds: [testSnapshot.environmentId] })
const path = '/ofrep/v1/evaluate/flags'
const answers: { etag: string; text: string }[] = []
for (const body of bodies) {
  const asked = { ...headers, 'content-type': 'application/json' }
  const answer = await delivery.ask(path, { method: 'POST', headers: asked, body })
  answers.push({ etag: String(answer.headers.etag), text: answer.text })
}
const { port } = delivery
process.stdout.write(`${JSON.stringify({ port, path, token, answers })}\n`)
