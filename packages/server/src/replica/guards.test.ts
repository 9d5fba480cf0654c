import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPublisherKey } from '../crypto/publisher-key.ts'
import { isRefused, judgeManifest, judgeMark, judgeRecord } from './guards.ts'
import { nameByHash, parseListing, renderListing, type Listing } from './listing.ts'
import { renderMark, type Mark } from './mark.ts'
import {
  addressName,
  manifestName,
  parseHeader,
  renderHeader,
  type RecordHeader,
} from './record-header.ts'
import { signAs, type Signed } from './signed.ts'

const key = createPublisherKey(Buffer.alloc(32, 1))
const otherKey = createPublisherKey(Buffer.alloc(32, 2))
const publicKeys = [key.publicKey]
const nowMs = 1_764_158_817_123

interface Record {
  readonly header: Signed
  readonly content: Buffer
  readonly address: string
}

function record(changes: Partial<RecordHeader> = {}, text = '{"a":1}', by = key): Record {
  const content = Buffer.from(text)
  const header: RecordHeader = {
    epoch: 1,
    orgId: 'org_1',
    environmentId: 'env_1',
    kind: 'browser',
    schemaId: 'sch_1',
    version: 7,
    oldest: 1,
    gone: false,
    etag: nameByHash(content).slice(0, 20),
    sha256: nameByHash(content),
    bytes: content.length,
    ...changes,
  }
  return { header: signAs([by], renderHeader(header)), content, address: addressName(header) }
}

const listed = (...records: readonly Record[]): Listing =>
  new Map(records.map(({ address, header }) => [address, nameByHash(header.text)]))

function outcomeOf(offered: Record, manifest: Listing, known?: RecordHeader): string {
  const judged = judgeRecord({ publicKeys, known, manifest }, offered)
  return isRefused(judged) ? judged.refused : 'believed'
}

/** Returns a text with the bit `bit` flipped. */
function flip(text: Buffer, bit: number): Buffer {
  const flipped = Buffer.from(text)
  const at = Math.floor(bit / 8)
  flipped[at] = (flipped[at] ?? 0) ^ (1 << (bit % 8))
  return flipped
}

const bitsOf = (text: string | Buffer) =>
  Array.from({ length: Buffer.byteLength(text) * 8 }, (_, bit) => bit)

describe('a record', () => {
  const offered = record()
  const manifest = listed(offered)

  it('is believed as it was signed', () => {
    expect(outcomeOf(offered, manifest)).toBe('believed')
  })

  it('is believed with no bit flipped in its header, signature or content', () => {
    const { header, content } = offered
    const altered = [
      ...bitsOf(header.text).map((bit) => ({
        ...offered,
        header: { ...header, text: flip(Buffer.from(header.text), bit).toString('latin1') },
      })),
      ...bitsOf(header.signatures).map((bit) => ({
        ...offered,
        header: {
          ...header,
          signatures: flip(Buffer.from(header.signatures), bit).toString('latin1'),
        },
      })),
      ...bitsOf(content).map((bit) => ({ ...offered, content: flip(content, bit) })),
    ]
    // Listed as it is, so that the manifest does not hide what the signature is for.
    const outcomes = altered.map((each) => outcomeOf(each, listed(each)))
    expect([altered.length > 1_500, outcomes.includes('believed')]).toEqual([true, false])
  })

  it('is believed at no other address: schema, environment, organization or kind', () => {
    const addresses = [
      { schemaId: 'sch_2' },
      { environmentId: 'env_2' },
      { orgId: 'org_2' },
      { kind: 'server' as const },
    ]
    for (const other of addresses) {
      const swapped = { ...record(other), address: offered.address }
      expect([other, outcomeOf(swapped, manifest)]).toEqual([other, 'address'])
    }
  })

  it('is believed by no other key', () => {
    const foreign = record({}, undefined, otherKey)
    expect(outcomeOf(foreign, listed(foreign))).toBe('signature')
  })

  it('is believed only while the manifest has it', () => {
    expect(outcomeOf(offered, new Map())).toBe('not_in_manifest')
    expect(outcomeOf(offered, listed(record({ version: 8 })))).toBe('not_in_manifest')
  })

  it('is never older than the known one, unless another epoch has begun', () => {
    fc.assert(
      fc.property(
        fc.record({ epoch: fc.nat(3), version: fc.nat(5) }),
        fc.record({ epoch: fc.nat(3), version: fc.nat(5) }),
        (known, is) => {
          const before = parseHeader(record(known).header.text)
          const next = record(is)
          const newer =
            is.epoch > known.epoch || (is.epoch === known.epoch && is.version >= known.version)
          const outcome = outcomeOf(next, listed(next), before)
          const isShown = is.version >= 1
          expect(outcome === 'believed').toBe(newer && isShown)
        },
      ),
    )
  })

  it('is refused as a fork where the same version had other content', () => {
    const other = record({}, '{"a":2}')
    expect(outcomeOf(other, listed(other), parseHeader(offered.header.text))).toBe('fork')
  })

  it('is refused below the oldest version that may be shown', () => {
    const outdated = record({ version: 3, oldest: 4 })
    expect(outcomeOf(outdated, listed(outdated))).toBe('too_old')
  })
})

describe('a header', () => {
  it('has one text: what does not come back as it was is not parsed', () => {
    const { text } = record().header
    expect(renderHeader(parseHeader(text) as RecordHeader)).toBe(text)
    const others = [
      `${text}\n`,
      text.replace('\n7\n', '\n07\n'),
      text.replace('org_1', 'org_1\norg_1'),
    ]
    for (const other of others) expect(parseHeader(other)).toBeUndefined()
  })
})

describe('a mark', () => {
  const manifest = renderListing(listed(record(), record({ schemaId: 'sch_2' })))
  const name = manifestName({ orgId: 'org_1', environmentId: 'env_1' })
  const index = renderListing(new Map([[name, nameByHash(manifest)]]))
  const mark: Mark = { epoch: 1, counter: 5, index: nameByHash(index), atMs: nowMs }
  const sign = (changes: Partial<Mark> = {}, by = key) =>
    signAs([by], renderMark({ ...mark, ...changes }))
  const judge = (offered: { mark: Signed; index: string }, known?: Mark) => {
    const judged = judgeMark({ publicKeys, known, nowMs }, offered)
    return isRefused(judged) ? judged.refused : 'believed'
  }

  it('is believed again and newer, and never older', () => {
    expect(judge({ mark: sign(), index }, mark)).toBe('believed')
    expect(judge({ mark: sign({ counter: 6 }), index }, mark)).toBe('believed')
    expect(judge({ mark: sign({ counter: 4 }), index }, mark)).toBe('older')
    expect(judge({ mark: sign({ epoch: 2, counter: 1 }), index }, mark)).toBe('believed')
    expect(judge({ mark: sign({ epoch: 0, counter: 9 }), index }, mark)).toBe('older')
  })

  it('replayed from any time before is not believed', () => {
    const marks = Array.from({ length: 50 }, (_, counter) => sign({ counter }))
    const newest: Mark = { ...mark, counter: 50 }
    expect(marks.filter((each) => judge({ mark: each, index }, newest) === 'believed')).toEqual([])
  })

  it('is believed with no bit flipped, in it, its signature or its index', () => {
    const { text, signatures } = sign()
    const asText = (of: string, bit: number) => flip(Buffer.from(of), bit).toString('latin1')
    const altered = [
      ...bitsOf(text).map((bit) => ({ mark: { text: asText(text, bit), signatures }, index })),
      ...bitsOf(signatures).map((bit) => ({
        mark: { text, signatures: asText(signatures, bit) },
        index,
      })),
      ...bitsOf(index).map((bit) => ({ mark: sign(), index: asText(index, bit) })),
    ]
    expect(altered.filter((each) => judge(each) === 'believed')).toEqual([])
  })

  it('is believed by no other key, and not from the future', () => {
    expect(judge({ mark: sign({}, otherKey), index })).toBe('signature')
    expect(judge({ mark: sign({ atMs: nowMs + 6 * 60_000 }), index })).toBe('future')
  })

  it('names manifests, of which none with a flipped bit or of another environment is believed', () => {
    const listing = parseListing(index) as Listing
    const judged = (text: string) => {
      const result = judgeManifest(listing, { name, text })
      return isRefused(result) ? result.refused : result.size
    }
    expect(judged(manifest)).toBe(2)
    for (const bit of bitsOf(manifest)) {
      expect(judged(flip(Buffer.from(manifest), bit).toString('latin1'))).toBe('hash')
    }
    const foreign = renderListing(listed(record({ environmentId: 'env_2' })))
    const lying: Listing = new Map([[name, nameByHash(foreign)]])
    expect(judgeManifest(lying, { name, text: foreign })).toEqual({ refused: 'address' })
  })
})
