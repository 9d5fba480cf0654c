import { useState } from 'react'
import { call } from '../../api/call.ts'
import { toApiProblem, type ApiProblem } from '../../api/problem.ts'
import { Button } from '../../components/button.tsx'
import { FormProblem } from '../../components/states.tsx'
import { useOrganization } from '../../session/organization.ts'
import { isConnected, type Integration } from './integration.ts'

/** Opens the provider's authorization, which returns here. With several accounts, the person chooses one. */
export function ConnectButton({ integration }: { readonly integration: Integration }) {
  const { params, slug, can } = useOrganization()
  const [pending, setPending] = useState<string>()
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const { kind, state } = integration

  const connect = async (provider: string) => {
    setPending(provider)
    try {
      const { url } = await call(
        'GET /organizations/{org_id}/integrations/{kind}/oauth/authorize',
        {
          params: { ...params, kind },
          query: { provider, returnTo: `/${slug}/integrations/${kind}` },
        },
      )
      location.assign(url)
    } catch (error) {
      setProblem(toApiProblem(error))
      setPending(undefined)
    }
  }
  if (!can('admin')) return <p className="text-muted">Ask an admin to connect it.</p>
  const isAgain = isConnected(state)
  const choices = isAgain ? [integration] : integration.choices
  return (
    <div className="flex flex-col gap-2">
      <FormProblem problem={problem} />
      <div className="flex flex-wrap gap-2">
        {choices.map(({ provider, displayName }) => (
          <Button
            key={provider}
            variant="primary"
            pending={pending === provider}
            onClick={() => void connect(provider)}
          >
            {isAgain ? `Connect ${displayName} again` : `Connect ${displayName}`}
          </Button>
        ))}
      </div>
    </div>
  )
}
