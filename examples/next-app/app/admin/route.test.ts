// @vitest-environment node
import { setServerConfig } from '@signalbox/next/testing'
import { afterEach, expect, test } from 'vitest'
import { GET } from './route'

afterEach(() => setServerConfig(undefined))

test.each([
  ['of the test', 200],
  ['another', 401],
])('a visitor with the token "%s" is answered %i', async (token, status) => {
  setServerConfig({ adminToken: 'of the test' })
  const headers = { authorization: `Bearer ${token}` }
  const response = await GET(new Request('http://localhost/admin', { headers }))
  expect(response.status).toBe(status)
})
