import type { ApiProblem } from '../../api/problem.ts'
import { secretInput, TextArea, TextField } from '../../parts/field.tsx'
import type { ProviderApp } from './provider-app.ts'

interface ProviderAppFieldsProps {
  readonly app: ProviderApp
  readonly problem: ApiProblem | null
}

/** What the provider shows beside its application. Secrets are typed and never shown. */
export function ProviderAppFields({ app, problem }: ProviderAppFieldsProps) {
  const hint = app.isStored ? 'Left empty: stays as it is stored.' : undefined
  const faultOf = (name: string) => problem?.faultOf(`/${name}`)
  const secret = (label: string, name: string) => (
    <TextField
      label={label}
      name={name}
      type="password"
      {...secretInput}
      hint={hint}
      fault={faultOf(name)}
    />
  )
  return (
    <>
      {app.provider === 'github' && (
        <>
          <TextField
            label="App ID"
            name="appId"
            inputMode="numeric"
            defaultValue={app.appId ?? ''}
            fault={faultOf('appId')}
          />
          <TextField
            label="Slug"
            name="slug"
            defaultValue={app.slug ?? ''}
            hint="The name in the address of the App’s page."
            fault={faultOf('slug')}
          />
        </>
      )}
      <TextField
        label="Client ID"
        name="clientId"
        defaultValue={app.clientId ?? ''}
        autoComplete="off"
        fault={faultOf('clientId')}
      />
      {secret('Client secret', 'clientSecret')}
      {app.provider === 'github' && (
        <>
          <TextArea
            label="Private key"
            isCode
            name="privateKey"
            {...secretInput}
            placeholder="-----BEGIN RSA PRIVATE KEY-----"
            hint={hint}
            fault={faultOf('privateKey')}
          />
          {secret('Webhook secret', 'webhookSecret')}
        </>
      )}
      {app.provider === 'slack' && secret('Signing secret', 'signingSecret')}
    </>
  )
}
