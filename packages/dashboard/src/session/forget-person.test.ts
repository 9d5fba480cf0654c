import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { followSignOut, forgetAnswers, leaveEverywhere } from './forget-person.ts'

afterEach(() => vi.unstubAllGlobals())

it('empties every page of the browser: what was read, and what was kept', async () => {
  const [own, other] = [new QueryClient(), new QueryClient()]
  const clear = vi.fn<() => void>()
  const told = vi.fn<(event: Event) => boolean>()
  vi.stubGlobal('sessionStorage', { clear })
  vi.stubGlobal('dispatchEvent', told)
  for (const client of [own, other]) client.setQueryData(['GET /me'], { name: 'Ada' })
  followSignOut(other)
  leaveEverywhere(own)
  await expect.poll(() => other.getQueryData(['GET /me'])).toBeUndefined()
  expect(own.getQueryData(['GET /me'])).toBeUndefined()
  expect([clear.mock.calls.length, told.mock.calls.length]).toEqual([2, 2])
})

it('leaves a page to sign in nothing of who was here, and the ways to sign in', () => {
  const client = new QueryClient()
  const request = { params: { org_id: 'acme' } }
  client.setQueryData(['GET /me', {}], { name: 'Ada' })
  client.setQueryData(['GET /organizations/{org_id}/audit-events', request, 'pages'], { pages: [] })
  client.setQueryData(['GET /sign-in/options', {}], { oidc: null })
  forgetAnswers(client)
  const kept = client.getQueryCache().getAll()
  expect(kept.map(({ queryKey: [route] }) => route)).toEqual(['GET /sign-in/options'])
})
