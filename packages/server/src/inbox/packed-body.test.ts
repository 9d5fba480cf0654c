import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { packBody, unpackBody } from './packed-body.ts'

const bodies: readonly [what: string, body: Buffer][] = [
  ['an empty one', Buffer.alloc(0)],
  ['one byte', Buffer.from('a')],
  ['JSON', Buffer.from(JSON.stringify({ name: 'ü'.repeat(3_000) }))],
  ['what cannot be packed', randomBytes(9_000)],
  ['the last that is packed at once', randomBytes(64 * 1024)],
  ['the first that is packed in a thread', randomBytes(64 * 1024 + 1)],
  ['the largest', Buffer.alloc(25 * 1024 * 1024, 'abc')],
]

describe('a packed body', () => {
  it.each(bodies)('is the same again: %s', async (_what, body) => {
    expect((await unpackBody(await packBody(body))).equals(body)).toBe(true)
  })

  it('is a fifth of what GitHub sends, so that a row of it needs no place of its own', async () => {
    const fields = Array.from({ length: 90 }, (_, at) => [
      `field_${at}_url`,
      `https://api.github.com/repos/acme/shop/things/${at}{/sha}`,
    ])
    const sent = Buffer.from(JSON.stringify(Object.fromEntries(fields)))
    expect((await packBody(sent)).length).toBeLessThan(sent.length / 5)
  })
})
