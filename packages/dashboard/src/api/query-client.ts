import { QueryClient } from '@tanstack/react-query'
import { ApiProblem } from './problem.ts'

/** Answers stay fresh until the server says otherwise: see `live/`. A refusal is shown at once, a missing server asked twice more. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiProblem && (error.status === 0 || error.status >= 500),
      retryDelay: (failures) => 500 * 2 ** failures,
      refetchOnWindowFocus: true,
    },
  },
})

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiProblem
  }
}
