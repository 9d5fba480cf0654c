import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router'
import { expect, it } from 'vitest'
import { onlyKnown } from './only-known.ts'
import { readSignInSearch } from './sign-in/search.ts'

function searchAt(address: string, read: typeof readSignInSearch) {
  const root = createRootRoute()
  const signIn = createRoute({ getParentRoute: () => root, path: '/login', validateSearch: read })
  const history = createMemoryHistory({ initialEntries: [address] })
  const router = createRouter({ routeTree: root.addChildren([signIn]), history })
  return router.matchRoutes(router.latestLocation).at(-1)?.search
}

const address = '/login?returnTo=%2F%2Felsewhere.example&error=a&unknown=b'

it('a screen sees of its address what was read of it, and nothing that was refused', () => {
  expect(searchAt(address, onlyKnown(readSignInSearch))).toEqual({ error: 'a' })
})

it('the router by itself hands on what was refused', () => {
  expect(searchAt(address, readSignInSearch)).toHaveProperty('returnTo', '//elsewhere.example')
})

it('what the shell tells of a way through the provider is left to it on every screen', () => {
  const readNothing = () => ({})
  expect(searchAt('/login?error=not_confirmed&unknown=b', onlyKnown(readNothing))).toEqual({
    error: 'not_confirmed',
  })
})
