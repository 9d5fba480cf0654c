import { QueryClient } from '@tanstack/react-query'
import { ApiProblem } from './problem.ts'

/** Keeps answers, which stay fresh until the server says otherwise: see `live/`. A refusal is shown at once, a missing server asked twice more. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiProblem && (error.status === 0 || error.status >= 500),
      retryDelay: (failures) => 500 * 2 ** failures,
      refetchOnWindowFocus: true,
    },
    // A write that cannot be sent fails at once, and one that is over is not kept: it may hold secrets.
    mutations: { networkMode: 'always', gcTime: 0 },
  },
})

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiProblem
  }
}
