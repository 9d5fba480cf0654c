import { QueryClient } from '@tanstack/react-query'
import { ApiProblem } from './problem.ts'

/**
 * Caches responses, which stay fresh until the server announces a change: see `live/`. A rejection is shown at once; an
 * unreachable server is tried twice more.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiProblem && (error.status === 0 || error.status >= 500),
      retryDelay: (failures) => 500 * 2 ** failures,
      refetchOnWindowFocus: true,
    },
    // A write fails at once when it cannot be sent, and is dropped when it has ended, because it may hold secrets.
    mutations: { networkMode: 'always', gcTime: 0 },
  },
})

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiProblem
  }
}
