import { explainTargetFailure } from '../explain-target-failure.ts'
import { valueOf, type ProviderContext } from '../context.ts'
import type { ProviderError } from '../provider-error.ts'
import type { TargetDescriptor, TargetFailure, WrittenValue } from '../target.ts'
import { createProjectTarget, createVercelRequests, locateProject } from './target-api.ts'

const projectName = /^[A-Za-z0-9_.-]{1,100}$/
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/
/** Vercel gives a deployment 64 KB for all of its variables. */
const valueBytesMax = 64 * 1024

/** Describes writing to the environment variables of a project of Vercel. */
export const vercelTarget: TargetDescriptor = {
  description:
    'Values become environment variables of the project. They reach an application with its next deployment. Secrets are sensitive variables, which nobody reads back; Development has none of these, so secrets are encrypted variables there.',
  access: 'token',
  tokenAdvice:
    'Create a token on Vercel under Account Settings → Tokens, with the team of the project as its scope.',
  fields: [
    {
      name: 'project',
      label: 'Project',
      hint: 'The name of the project, or its ID, which begins with prj_.',
      placeholder: 'shop',
      isRequired: true,
      kind: 'text',
      check: {
        accepts: (value) => projectName.test(value),
        advice: 'Enter the name of the project, or its ID.',
      },
    },
    {
      name: 'team',
      label: 'Team',
      hint: 'The slug of the team in the address of its pages, or its ID. Leave it empty for a project of your own.',
      placeholder: 'acme',
      isRequired: false,
      kind: 'text',
      check: {
        accepts: (value) => projectName.test(value),
        advice: 'Enter the slug of the team, or its ID.',
      },
    },
    {
      name: 'environment',
      label: 'Environment on Vercel',
      isRequired: true,
      kind: 'choice',
      choices: [
        { value: 'production', label: 'Production' },
        { value: 'preview', label: 'Preview' },
        { value: 'development', label: 'Development' },
      ],
    },
  ],
  storeOf: (tier) => (tier === 'secret' ? 'secret' : 'variable'),
  isOneNamespace: true,
  rejectionOf,
  openCalls: (context) => (access) => {
    if (!('token' in access)) return undefined
    const requests = createVercelRequests({
      call: access.call,
      apiUrl: valueOf(context.addresses, 'api'),
      token: access.token,
    })
    return {
      locate: (settings) => locateProject(requests, settings, valueOf(context.addresses, 'web')),
      open: ({ data }) => createProjectTarget(requests, data),
    }
  },
  explain,
}

function rejectionOf({ name, value }: WrittenValue): string | undefined {
  if (!variableName.test(name)) {
    return 'Vercel takes names of letters, digits and underscores that begin with no digit.'
  }
  if (name === 'VERCEL' || name.startsWith('VERCEL_')) {
    return 'Vercel keeps names that begin with VERCEL_ for itself.'
  }
  if (value === '') return 'Signalbox writes no empty value to Vercel.'
  return Buffer.byteLength(value) > valueBytesMax ? 'Vercel stores 64 KB of variables.' : undefined
}

function explain(
  error: ProviderError,
  { context, addressName }: { readonly context: ProviderContext; readonly addressName: string },
): TargetFailure {
  const common = explainTargetFailure(error, { provider: 'Vercel', addressName })
  const url = `${valueOf(context.addresses, 'web')}/account/settings/tokens`
  // Vercel answers 403 for a token that is gone as well.
  if (error.failure === 'unauthorized' || error.failure === 'forbidden') {
    return {
      reason: 'access_revoked',
      detail: `Vercel refuses the token for ${addressName}: it was deleted, has expired, or has another team as its scope.`,
      nextStep: 'Create a token with the team of the project as its scope, then enter it here.',
      url,
    }
  }
  return common
}
