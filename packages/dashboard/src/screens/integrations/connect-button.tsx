import { useState } from 'react'
import { call } from '../../api/call.ts'
import { toApiProblem, type ApiProblem } from '../../api/problem.ts'
import { Button } from '../../components/button.tsx'
import { FormProblem } from '../../components/states.tsx'
import { useOrganization } from '../../session/organization.ts'
import { about, isConnected, type Integration } from './integration.ts'

/** Goes to the provider, which asks the person and sends the browser back here. */
export function ConnectButton({ integration }: { readonly integration: Integration }) {
  const { params, slug, can } = useOrganization()
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const { kind, state } = integration
  const { name } = about[kind]

  const connect = async () => {
    setPending(true)
    try {
      const { url } = await call(
        'GET /organizations/{org_id}/integrations/{kind}/oauth/authorize',
        {
          params: { ...params, kind },
          query: { returnTo: `/${slug}/integrations/${kind}` },
        },
      )
      location.assign(url)
    } catch (error) {
      setProblem(toApiProblem(error))
      setPending(false)
    }
  }
  if (!can('admin')) return <p className="text-muted">An administrator connects it.</p>
  return (
    <div className="flex flex-col gap-2">
      <FormProblem problem={problem} />
      <div>
        <Button variant="primary" pending={pending} onClick={() => void connect()}>
          {isConnected(state) ? `Connect ${name} again` : `Connect ${name}`}
        </Button>
      </div>
    </div>
  )
}
