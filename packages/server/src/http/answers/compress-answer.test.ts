import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { compressAnswer } from './compress-answer.ts'

const large = JSON.stringify({ keys: Array.from({ length: 5000 }, (_, at) => `key${at}`) })
const answerOf = async (body: string, accepted: string | undefined, compresses?: true) => {
  const answer = { status: 200, headers: { 'Content-Type': 'application/json' }, body }
  return compressAnswer({ ...(compresses && { compresses }) }, { header: () => accepted }, answer)
}

describe('a large answer of an endpoint that says so', () => {
  it.each(['gzip', 'br, gzip;q=0.5', 'GZIP', 'gzip ; q=1'])(
    'is compressed for a client that accepts %j',
    async (accepted) => {
      const { headers, body } = await answerOf(large, accepted, true)
      expect(headers).toMatchObject({ 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' })
      expect(body.length).toBeLessThan(large.length / 2)
      expect(gunzipSync(body).toString()).toBe(large)
    },
  )

  it.each([undefined, '', 'br', 'gzip;q=0', 'gzip; q=0.000', 'notgzip', 'identity'])(
    'is sent as it is to a client that accepts %j, and no cache mistakes one for the other',
    async (accepted) => {
      const { headers, body } = await answerOf(large, accepted, true)
      expect(body).toBe(large)
      expect(headers).not.toHaveProperty('Content-Encoding')
      expect(headers).toMatchObject({ Vary: 'Accept-Encoding' })
    },
  )
})

it('compresses neither what is small, nor what may hold a secret', async () => {
  expect((await answerOf('{"keys":[]}', 'gzip', true)).body).toBe('{"keys":[]}')
  const other = await answerOf(large, 'gzip')
  expect(other.body).toBe(large)
  expect(other.headers).toEqual({ 'Content-Type': 'application/json' })
})
