import { useState } from 'react'
import { call } from '../../api/call.ts'
import { toApiProblem, type ApiProblem } from '../../api/problem.ts'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { FormProblem } from '../../components/states.tsx'
import { useOrganization } from '../../session/organization.ts'
import { ConnectForm } from './connect-form.tsx'
import { isConnected, type Choice, type Integration } from './integration.ts'

/** Returns the text of the button. A provider that asks for nothing uses a connection that is there. */
function labelOf({ displayName, form }: Choice, isAgain: boolean): string {
  if (isAgain) return `Connect ${displayName} again`
  return form?.fields.length === 0 ? `Use ${displayName}` : `Connect ${displayName}`
}

/**
 * Opens the provider's authorization, which returns here, or the form by which the provider is connected. A provider that shares a
 * connection is connected at once.
 */
export function ConnectButton({ integration }: { readonly integration: Integration }) {
  const { params, slug, can } = useOrganization()
  const [pending, setPending] = useState<string>()
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [entered, setEntered] = useState<string>()
  const share = useWrite('POST /organizations/{org_id}/integrations/{kind}/connection')
  const { kind, state } = integration

  const connect = async ({ provider, form }: Choice) => {
    setProblem(null)
    const isEntered = form !== null && form.fields.length > 0
    setEntered(isEntered ? provider : undefined)
    if (isEntered) return
    setPending(provider)
    try {
      if (form !== null) {
        await share.mutateAsync({ params: { ...params, kind }, body: { provider, values: {} } })
        setPending(undefined)
        return
      }
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
  const choices = integration.choices.filter(
    ({ provider }) => !isAgain || provider === integration.provider,
  )
  const open = choices.find(({ provider }) => provider === entered)
  return (
    <div className="flex flex-col gap-2">
      <FormProblem problem={problem} />
      <div className="flex flex-wrap gap-2">
        {choices.map((choice) => (
          <Button
            key={choice.provider}
            variant={choice === open ? 'plain' : 'primary'}
            pending={pending === choice.provider}
            onClick={() => void connect(choice)}
          >
            {labelOf(choice, isAgain)}
          </Button>
        ))}
      </div>
      {open !== undefined && open.form !== null && (
        <ConnectForm
          kind={kind}
          choice={{ ...open, form: open.form }}
          onClose={() => setEntered(undefined)}
        />
      )}
    </div>
  )
}
