import type { ApiProblem } from '../../api/problem.ts'
import { secretInput, TextArea, TextField } from '../../components/field.tsx'
import type { ProviderApp } from './provider-app.ts'

interface ProviderAppFieldsProps {
  readonly app: ProviderApp
  readonly problem: ApiProblem | null
}

/** Shows what the provider shows beside its application. Secrets are typed and never shown. */
export function ProviderAppFields({ app, problem }: ProviderAppFieldsProps) {
  const help = app.isStored ? 'Left empty: stays as it is stored.' : undefined
  const errorOf = (name: string) => problem?.errorOf(`/${name}`)
  const secret = (label: string, name: string) => (
    <TextField
      label={label}
      name={name}
      type="password"
      {...secretInput}
      help={help}
      error={errorOf(name)}
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
            error={errorOf('appId')}
          />
          <TextField
            label="Slug"
            name="slug"
            defaultValue={app.slug ?? ''}
            help="The name in the address of the App’s page."
            error={errorOf('slug')}
          />
        </>
      )}
      <TextField
        label="Client ID"
        name="clientId"
        defaultValue={app.clientId ?? ''}
        autoComplete="off"
        error={errorOf('clientId')}
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
            help={help}
            error={errorOf('privateKey')}
          />
          {secret('Webhook secret', 'webhookSecret')}
        </>
      )}
      {app.provider === 'slack' && secret('Signing secret', 'signingSecret')}
    </>
  )
}
