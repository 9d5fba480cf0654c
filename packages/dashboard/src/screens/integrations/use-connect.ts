import { useState } from 'react'
import { call } from '../../api/call.ts'
import { toApiProblem, type ApiProblem } from '../../api/problem.ts'
import { useWrite } from '../../api/use-api.ts'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'
import type { Choice, Kind } from './integration.ts'

/** Connects a provider without a form: by its authorization in the browser, or by a connection that is there already. */
export function useConnect(kind: Kind) {
  const { params, slug } = useOrganization()
  const connection = useWrite('POST /organizations/{org_id}/integrations/{kind}/connection')
  const [pending, setPending] = useState<string>()
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const fail = (reason: ApiProblem) => {
    setProblem(reason)
    setPending(undefined)
  }
  const begin = (provider: string) => {
    setProblem(null)
    setPending(provider)
  }
  return {
    /** Names the provider whose connection is on its way. */
    pending,
    problem,
    /** Forgets the problem of the last attempt. */
    reset: () => setProblem(null),
    share: ({ provider, displayName }: Choice) => {
      begin(provider)
      connection.mutate({
        params: { kind },
        body: { provider, values: {} },
        onSuccess: () => {
          setPending(undefined)
          showToast({ text: `${displayName} is connected.` })
        },
        onError: fail,
      })
    },
    /** `level`: how much access to ask for, where the provider has levels. Default: the usual. */
    authorize: async ({ provider }: Choice, level?: 'read' | 'full') => {
      begin(provider)
      try {
        const { url } = await call(
          'GET /organizations/{org_id}/integrations/{kind}/oauth/authorize',
          {
            params: { ...params, kind },
            query: {
              provider,
              returnTo: `/${slug}/integrations/${kind}`,
              ...(level !== undefined && { level }),
            },
          },
        )
        location.assign(url)
      } catch (error) {
        fail(toApiProblem(error))
      }
    },
  }
}
