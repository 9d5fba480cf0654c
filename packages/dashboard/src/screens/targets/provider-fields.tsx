import { useId } from 'react'
import type { ApiProblem } from '../../api/problem.ts'
import { useRead } from '../../api/use-api.ts'
import { Prose } from '../../components/code.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { OutsideLink } from '../../components/outside-link.tsx'
import { PathLink } from '../../session/path-link.tsx'
import type { TargetProvider } from './target.ts'
import { TokenField } from './token-field.tsx'

interface ProviderFieldsProps {
  readonly provider: TargetProvider
  readonly destination: Readonly<Record<string, string>>
  readonly token: string
  readonly problem: ApiProblem | null
  readonly onDestination: (destination: Readonly<Record<string, string>>) => void
  readonly onToken: (token: string) => void
}

/** Renders the fields that the provider declares, and that for its token. */
export function ProviderFields(props: ProviderFieldsProps) {
  const { provider, destination, token, problem, onDestination, onToken } = props
  const repositoriesId = useId()
  const hasRepository = provider.fields.some(({ kind }) => kind === 'repository')
  return (
    <>
      <p className="text-sm text-muted">
        <Prose text={provider.description} />
      </p>
      <Obstacle provider={provider} />
      {provider.fields.map(({ name, label, hint, placeholder, required, kind, choices }) => {
        const field = {
          label: required ? label : `${label} (optional)`,
          help: hint ?? undefined,
          error: problem?.errorOf(`/destination/${name}`),
          value: destination[name] ?? '',
          onChange: ({ target }: { readonly target: { readonly value: string } }) =>
            onDestination({ ...destination, [name]: target.value }),
        }
        return kind === 'choice' ? (
          <SelectField key={name} {...field}>
            <option value="">Choose one</option>
            {choices.map((choice) => (
              <option key={choice.value} value={choice.value}>
                {choice.label}
              </option>
            ))}
          </SelectField>
        ) : (
          <TextField
            key={name}
            {...field}
            placeholder={placeholder ?? undefined}
            list={kind === 'repository' ? repositoriesId : undefined}
            spellCheck={false}
          />
        )
      })}
      {hasRepository && <RepositoryNames id={repositoriesId} />}
      {provider.access === 'token' && (
        <TokenField
          label={`Token of ${provider.displayName}`}
          help={provider.tokenAdvice ?? undefined}
          error={problem?.errorOf('/token')}
          value={token}
          onToken={onToken}
        />
      )}
    </>
  )
}

/** Holds the repositories that the field proposes: those that the connected code host shows. Any can be typed. */
function RepositoryNames({ id }: { readonly id: string }) {
  const codehost = useRead('GET /organizations/{org_id}/integrations/codehost')
  return (
    <datalist id={id}>
      {codehost.data?.repositories.map(({ fullName }) => (
        <option key={fullName} value={fullName} />
      ))}
    </datalist>
  )
}

/** Says what is to do before Signalbox can write there: connecting, or granting permissions. */
function Obstacle({ provider }: Pick<ProviderFieldsProps, 'provider'>) {
  const { isUsable, next, permissions, permissionsUrl, displayName } = provider
  if (!isUsable) {
    return (
      <p className="rounded-md bg-warn-ground px-3 py-2 text-warn">
        {displayName} isn’t connected.{' '}
        {next !== null && <PathLink path={next.href}>{next.label}</PathLink>}
      </p>
    )
  }
  const lacking = permissions.filter(({ granted }) => granted === false)
  if (lacking.length === 0) return null
  return (
    <div className="rounded-md bg-warn-ground px-3 py-2 text-warn">
      <p>{displayName} hasn’t granted what writing needs yet:</p>
      <ul className="my-1 list-disc pl-5">
        {lacking.map(({ name }) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
      <OutsideLink href={permissionsUrl}>Grant it on {displayName}</OutsideLink>, then an owner of
      the account approves it.
    </div>
  )
}
