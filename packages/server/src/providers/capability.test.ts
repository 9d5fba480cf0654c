import { capabilitiesOfKind } from '@signalbox/contract/rest'
import { describe, expect, it } from 'vitest'
import { findLack, levelOf, listCapabilities } from './capability.ts'
import { findProvider } from './find-provider.ts'
import type { Provider } from './provider.ts'
import { providers } from './registry.ts'

/** Returns the scopes that any capability of a provider takes. */
function allScopes({ capabilities = {} }: Provider): string[] {
  return Object.values(capabilities).flatMap((terms) =>
    typeof terms === 'object' && 'needs' in terms ? terms.needs : [],
  )
}

const get = (name: string): Provider => {
  const provider = findProvider(name)
  if (provider === undefined) throw new Error(`No provider is called ${name}`)
  return provider
}

describe.each(providers.map((provider) => [provider.name, provider] as const))(
  '%s',
  (_, provider) => {
    it('says of each thing of its kind whether it works, in whole sentences', () => {
      for (const scopes of [[], allScopes(provider)]) {
        const listed = listCapabilities(provider, scopes)
        expect(listed.map(({ name }) => name)).toEqual(capabilitiesOfKind[provider.kind])
        for (const { detail, nextStep } of listed) {
          expect(detail).toMatch(/^[A-Z].*\.$/)
          expect(nextStep ?? 'There is none.').toMatch(/^[A-Z].*\.$/)
        }
      }
    })

    it('says what to do wherever a scope is missing, and nothing about scopes where none is', () => {
      const { capabilities = {} } = provider
      const withTerms = Object.entries(capabilities).flatMap(([name, terms]) =>
        typeof terms === 'object' && 'needs' in terms ? [name] : [],
      )
      const none = listCapabilities(provider, [])
      const all = listCapabilities(provider, allScopes(provider))
      for (const name of withTerms) {
        expect(none.find((one) => one.name === name)).toMatchObject({
          works: false,
          nextStep: expect.any(String),
        })
        expect(all.find((one) => one.name === name)).toMatchObject({ works: true, nextStep: null })
      }
    })
  },
)

describe('access for reading only', () => {
  it('is a level of GitLab, which starts nothing and says how to get the rest', () => {
    const gitlab = get('gitlab')
    expect(levelOf(gitlab, ['read_api'])).toBe('read')
    expect(levelOf(gitlab, ['api', 'read_api'])).toBe('full')
    expect(findLack(gitlab, ['read_api'], 'startWorkflows')).toMatchObject({
      detail:
        'Signalbox can’t start pipelines or test runs, because GitLab was connected with read access.',
      nextStep: 'Connect GitLab again with full access.',
    })
    expect(findLack(gitlab, ['api', 'read_api'], 'startWorkflows')).toBeUndefined()
    expect(findLack(gitlab, ['read_api'], 'recordDeployments')).toBeUndefined()
  })

  it('is no level of a provider that has one', () => {
    expect(levelOf(get('github'), [])).toBeNull()
  })

  it('is told from a permission that was not granted, which is named', () => {
    expect(findLack(get('github'), ['actions:read'], 'startWorkflows')?.nextStep).toBe(
      'Connect GitHub again and grant the missing permission (actions:write).',
    )
  })
})

describe('an App of GitHub that was registered before checks and gates', () => {
  const before = [
    'metadata:read',
    'deployments:read',
    'actions:read',
    'actions:write',
    'contents:read',
  ]
  const worksWith = (scopes: readonly string[]) =>
    Object.fromEntries(listCapabilities(get('github'), scopes).map((one) => [one.name, one.works]))

  it('does what it did, and says what it does not do', () => {
    expect(worksWith(before)).toMatchObject({
      recordDeployments: true,
      followDeployments: true,
      readCommits: true,
      startWorkflows: true,
      uploadWithoutKey: true,
      readPullRequests: false,
      writeStatuses: false,
      holdDeployments: false,
    })
  })

  it.each([
    ['readPullRequests', 'Pull requests: Read-only and the event Pull request'],
    ['writeStatuses', 'Checks: Read and write'],
    ['holdDeployments', 'Deployments: Read and write and the event Deployment protection rule'],
  ] as const)('is told how it gets %s', (name, permission) => {
    expect(findLack(get('github'), before, name)?.nextStep).toBe(
      `In the settings of the App on GitHub, choose ${permission}. Then accept the new permissions of the installation on GitHub.`,
    )
  })

  it('does all of it once they are accepted, and writes statuses by either permission', () => {
    const after = [...before, 'pull_requests:read', 'deployments:write']
    expect(worksWith(after)).toMatchObject({ readPullRequests: true, holdDeployments: true })
    for (const scope of ['checks:write', 'statuses:write']) {
      expect(worksWith([...before, scope])).toMatchObject({ writeStatuses: true })
    }
  })
})

describe('holding deployments', () => {
  it.each(['gitlab', 'forgejo'])('is nothing that %s has: its pipeline asks', (name) => {
    const all = ['api', 'read_api', 'write:repository', 'read:repository']
    expect(findLack(get(name), all, 'holdDeployments')).toMatchObject({
      detail: `Signalbox can’t hold a deployment on ${get(name).displayName}.`,
      nextStep: 'Let the pipeline ask: signalbox gate.',
    })
    expect(findLack(get(name), all, 'writeStatuses')).toBeUndefined()
    expect(findLack(get(name), all, 'readPullRequests')).toBeUndefined()
  })
})

describe('changes of issues', () => {
  it.each([
    ['jira', [], false],
    ['linear', [], true],
    ['github-issues', ['issues:read'], true],
    ['github-issues', [], false],
    ['gitlab-issues', ['api', 'read_api'], true],
    ['gitlab-issues', ['read_api'], false],
  ] as const)('of %s with the scopes %j are told by webhooks: %s', (name, scopes, works) => {
    expect(findLack(get(name), scopes, 'followIssues') === undefined).toBe(works)
  })

  it('that only a code host tells are had by connecting that', () => {
    expect(findLack(get('gitlab-issues'), ['read_api'], 'followIssues')?.nextStep).toBe(
      'Connect GitLab as the code host with full access.',
    )
  })
})

describe('a code host whose deployments are reported by pipelines', () => {
  it('says so, whatever its folder says of other things', () => {
    const github = get('github')
    if (github.kind !== 'codehost') throw new Error('It is no code host')
    const { capabilities: _, pipelineTokens: __, deployments: ___, ...rest } = github
    const listed = listCapabilities(rest, [])
    expect(Object.fromEntries(listed.map(({ name, works }) => [name, works]))).toEqual({
      recordDeployments: false,
      followDeployments: false,
      readCommits: true,
      startWorkflows: true,
      readTestReports: false,
      uploadWithoutKey: false,
      readPullRequests: false,
      writeStatuses: false,
      holdDeployments: false,
    })
  })
})
