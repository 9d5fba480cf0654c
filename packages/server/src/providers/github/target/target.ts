import { valueOf, type ProviderContext } from '../../context.ts'
import { explainTargetFailure } from '../../explain-target-failure.ts'
import type { ProviderError } from '../../provider-error.ts'
import type { TargetDescriptor, TargetFailure, WrittenValue } from '../../target.ts'
import { openGithubRequests } from '../open-calls.ts'
import { createRepositoryTarget, locateRepository } from './target-api.ts'

const fullName = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})\/[A-Za-z0-9._-]{1,100}$/
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/
/** @see https://docs.github.com/en/actions/reference/security/secrets */
const valueBytesMax = 48 * 1024

/** Describes writing to the Actions secrets and variables of GitHub. */
export const githubTarget: TargetDescriptor = {
  description:
    'Secrets become GitHub Actions secrets, public values and flags become variables. Workflows read them with `${{ secrets.NAME }}` and `${{ vars.NAME }}`.',
  access: 'integration',
  fields: [
    {
      name: 'repository',
      label: 'Repository',
      placeholder: 'acme/shop',
      isRequired: true,
      kind: 'repository',
      check: {
        accepts: (value) => fullName.test(value),
        advice: 'Enter the full name of the repository, such as acme/shop.',
      },
    },
    {
      name: 'environment',
      label: 'Environment on GitHub',
      hint: 'Leave it empty to write the secrets and variables of the whole repository.',
      placeholder: 'production',
      isRequired: false,
      kind: 'text',
    },
  ],
  permissions: [
    { scope: 'secrets:write', name: 'Secrets: read and write' },
    { scope: 'actions_variables:write', name: 'Variables: read and write' },
    { scope: 'environments:write', name: 'Environments: read and write' },
  ],
  permissionsUrl: appPermissionsUrl,
  storeOf: (tier) => (tier === 'secret' ? 'secret' : 'variable'),
  rejectionOf,
  openCalls(context) {
    const requestsOf = openGithubRequests(context)
    return (access) => {
      if (!('connection' in access)) return undefined
      const requests = requestsOf(access.connection)
      return (
        requests && {
          locate: (settings) => locateRepository(requests, settings),
          open: ({ data }) => createRepositoryTarget(requests, data),
        }
      )
    }
  },
  explain,
}

function rejectionOf({ name, value }: WrittenValue): string | undefined {
  if (!variableName.test(name)) {
    return 'GitHub takes names of letters, digits and underscores that begin with no digit.'
  }
  if (/^github_/i.test(name)) return 'GitHub keeps names that begin with GITHUB_ for itself.'
  // GitHub stores no empty secret; an empty variable it refuses as well.
  if (value === '') return 'GitHub stores no empty value.'
  return Buffer.byteLength(value) > valueBytesMax ? 'GitHub stores 48 KB of a value.' : undefined
}

function explain(
  error: ProviderError,
  { context, addressName }: { readonly context: ProviderContext; readonly addressName: string },
): TargetFailure {
  const common = explainTargetFailure(error, { provider: 'GitHub', addressName })
  if (error.failure === 'forbidden') {
    return {
      ...common,
      detail: `The GitHub App may not write the secrets and variables of ${addressName}.`,
      nextStep:
        'Give the App the repository permissions Secrets, Variables and Environments (read and write), then an owner of the account approves them on GitHub.',
      url: appPermissionsUrl(context),
    }
  }
  if (error.failure === 'unauthorized') {
    return { ...common, nextStep: 'Connect GitHub again on the Integrations page.' }
  }
  return common
}

function appPermissionsUrl({ addresses, application }: ProviderContext): string | null {
  const slug = application()?.values['slug']
  const web = valueOf(addresses, 'web')
  return slug === undefined ? null : `${web}/settings/apps/${encodeURIComponent(slug)}/permissions`
}
