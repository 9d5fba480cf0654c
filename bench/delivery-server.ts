import { defaultRateLimits } from '../packages/server/src/http/admission/rate-classes.ts'
import { newToken } from '../packages/server/src/crypto/tokens.ts'
import { newId } from '../packages/server/src/crypto/ids.ts'
import {
  openTestDelivery,
  testSnapshot,
  snapshotPath,
} from '../packages/server/src/delivery/testing/test-delivery.ts'

/**
 * A delivery in a process of its own: the real listener, handler, key cache and limits, fed from memory.
 * Started with `{ keys, snapshots, valuesPerSnapshot, valueBytes, plainStreams }` as JSON in its first argument; says on one line where
 * it listens and with which keys what can be read. `publish` on its standard input publishes a version of the first snapshot.
 */
const {
  keys,
  snapshots,
  valuesPerSnapshot,
  valueBytes,
  plainStreams = false,
} = JSON.parse(process.argv[2] ?? '{}') as Record<
  'keys' | 'snapshots' | 'valuesPerSnapshot' | 'valueBytes',
  number
> & { readonly plainStreams?: boolean }

const plenty = { perSecond: 10_000_000, burst: 10_000_000 }
const delivery = await openTestDelivery({
  plainStreams,
  rateLimits: {
    ...defaultRateLimits,
    delivery: plenty,
    deliveryNode: plenty,
    streamOpenKey: plenty,
    streamOpen: plenty,
  },
  deps: { streamLimits: { perSubject: 1_000_000, perNode: 1_000_000 } },
})

const now = new Date()

/** The same numbers in every run. */
let seed = 42
function nextNumber(below: number): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}

/** Text as configuration has it: words, numbers and some chance, so that it shrinks to a quarter when it is compressed. */
const words = 'host service timeout https api example retry limit color queue region cache'.split(
  ' ',
)
function makeValue(length: number): string {
  let text = ''
  while (text.length < length) {
    text += `${words[nextNumber(words.length)]}-${nextNumber(1_000_000).toString(36)} `
  }
  return text.slice(0, length)
}

const paths: string[] = []
const etags: string[] = []
let first: { readonly etag: string; readonly body: string } | undefined
for (let index = 0; index < snapshots; index += 1) {
  const schemaId = index === 0 ? testSnapshot.schemaId : newId('sch', now)
  const entries = Array.from({ length: valuesPerSnapshot }, (_, at): [string, string] => [
    `configKey${String(at).padStart(4, '0')}`,
    makeValue(valueBytes),
  ])
  const row = delivery.publisher.publishBrowser({
    ...testSnapshot,
    schemaId,
    public: Object.fromEntries(entries),
  })
  first ??= row
  etags.push(`"${row.etag}"`)
  paths.push(index === 0 ? snapshotPath : `/snapshots/${schemaId}/${testSnapshot.environmentId}`)
}
await delivery.delivery.refresh()

const tokens: string[] = []
const savedKeys = []
const secrets = []
for (let index = 0; index < keys; index += 1) {
  const { token, handle, hash } = newToken('b2m')
  const id = newId('key', now)
  savedKeys.push({
    orgId: testSnapshot.orgId,
    id,
    name: 'bench',
    kind: 'b2m' as const,
    access: 'read' as const,
    environmentIds: null,
    schemaIds: null,
    allowedOrigins: null,
    allowedNetworks: null,
    expiresAt: null,
    revokedAt: null,
  })
  secrets.push({
    orgId: testSnapshot.orgId,
    keyId: id,
    handle,
    hash: hash.toString('base64'),
    expiresAt: null,
  })
  tokens.push(token)
}
delivery.keyCache.apply({ organizations: [], keys: savedKeys, secrets, signingKeys: [] })

const { port } = delivery
process.stdout.write(
  `${JSON.stringify({ port, paths, tokens, etags, etag: etags[0], body: first?.body })}\n`,
)

process.stdin.on('data', (chunk: Buffer) => {
  const [word] = chunk.toString().split('\n')
  if (word === 'memory') {
    process.stdout.write(`${JSON.stringify(process.memoryUsage())}\n`)
    return
  }
  const publishedAt = performance.timeOrigin + performance.now()
  delivery.publisher.publishBrowser({ ...testSnapshot, public: { at: publishedAt } })
  delivery.publisher.announce()
})
