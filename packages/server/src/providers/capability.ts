import type { AccessLevel, CapabilityName } from '@signalbox/contract/rest'
import { capabilitiesOfKind } from '@signalbox/contract/rest'
import type { CapabilityTerms, CodehostProvider, Provider } from './provider.ts'

/** Describes whether one thing works with what was granted, for people. */
export interface Capability {
  readonly name: CapabilityName
  readonly title: string
  readonly works: boolean
  readonly detail: string
  readonly nextStep: string | null
}

interface Words {
  readonly title: string
  /** Says what Signalbox does where it works. */
  readonly detail: (provider: string) => string
}

const words: Readonly<Record<CapabilityName, Words>> = {
  recordDeployments: {
    title: 'Record deployments',
    detail: (name) => `Signalbox reads deployments and their states from ${name}.`,
  },
  followDeployments: {
    title: 'See changes immediately',
    detail: (name) => `${name} sends a webhook at each change of a deployment.`,
  },
  readCommits: {
    title: 'Show commits',
    detail: () => 'Each deployment shows the commits that it brings.',
  },
  startWorkflows: {
    title: 'Run workflows and tests',
    detail: () => 'Signalbox starts workflows, including those that test a deployment.',
  },
  readTestReports: {
    title: 'Read test results',
    detail: (name) =>
      `Signalbox reads the test results of a run from ${name}. Nothing is uploaded.`,
  },
  uploadWithoutKey: {
    title: 'Upload test reports without a key',
    detail: (name) => `A pipeline uploads its test report with a token of ${name}.`,
  },
  readPullRequests: {
    title: 'Follow pull requests',
    detail: (name) =>
      `${name} sends a webhook at each change of a pull request, so that a check ends with it.`,
  },
  writeStatuses: {
    title: 'Write the check beside a commit',
    detail: (name) => `A pull request on ${name} shows which values its commit needs.`,
  },
  holdDeployments: {
    title: 'Hold deployments',
    detail: (name) => `A deployment waits on ${name} until Signalbox lets it go on.`,
  },
  readIssues: {
    title: 'Show issues',
    detail: () => 'Each deployment shows the issues that its commit messages mention.',
  },
  followIssues: {
    title: 'See changes immediately',
    detail: (name) => `${name} sends a webhook at each change of an issue.`,
  },
  sendMessages: {
    title: 'Send messages',
    detail: () => 'Signalbox sends one message per deployment and keeps it up to date.',
  },
  listChannels: {
    title: 'List channels',
    detail: () => 'Signalbox lists the channels that you can choose.',
  },
  joinChannels: {
    title: 'Post in public channels',
    detail: () => 'Nobody has to invite the bot to a public channel.',
  },
  findMessages: {
    title: 'Find messages again',
    detail: () =>
      'When the answer to a message is lost, Signalbox looks for it and sends it again only if it isn’t there.',
  },
}

/** Returns the terms that follow from a descriptor: what few providers have is none of one that says nothing of it. */
function termsOf(provider: Provider, name: CapabilityName): CapabilityTerms {
  const { displayName, capabilities = {} } = provider
  const own = capabilities[name]
  if (own !== undefined) return own
  if (name === 'readTestReports') {
    const nextStep = 'Let the pipeline upload its report: signalbox report.'
    return { lacks: `${displayName} keeps no test results.`, nextStep }
  }
  if (name === 'followIssues') {
    const lacks = `Signalbox takes no webhooks about issues from ${displayName}. It reads an issue when a deployment or its message needs it, and every six hours.`
    return { lacks }
  }
  return provider.kind === 'codehost' ? codehostTermsOf(provider, name) : 'works'
}

function codehostTermsOf(
  { displayName, deployments, pipelineTokens }: CodehostProvider,
  name: CapabilityName,
): CapabilityTerms {
  const isOfDeployments = name === 'recordDeployments' || name === 'followDeployments'
  if (isOfDeployments && deployments === undefined) {
    const lacks = `${displayName} has no deployments.`
    return { lacks, nextStep: 'Let your pipeline report its deployments.' }
  }
  if (name === 'uploadWithoutKey' && pipelineTokens === undefined) {
    const nextStep = 'Store a server key for the pipeline.'
    return { lacks: `${displayName} gives its pipelines no tokens.`, nextStep }
  }
  return lackOf(displayName, name) ?? 'works'
}

/** Returns what a code host lacks that says nothing of it. */
function lackOf(displayName: string, name: CapabilityName): CapabilityTerms | undefined {
  if (name === 'readPullRequests') {
    return { lacks: `Signalbox can’t follow pull requests on ${displayName}.` }
  }
  if (name === 'writeStatuses') {
    const lacks = `Signalbox can’t write beside a commit on ${displayName}.`
    return { lacks, nextStep: 'Let the pipeline check: signalbox check.' }
  }
  if (name !== 'holdDeployments') return undefined
  const lacks = `Signalbox can’t hold a deployment on ${displayName}.`
  return { lacks, nextStep: 'Let the pipeline ask: signalbox gate.' }
}

/**
 * Lists what a provider does with the scopes that were granted, and what not, in the order in which people read it.
 * `grantAdvice`: says how a person grants a scope that is missing. Default: by connecting again.
 */
export function listCapabilities(
  provider: Provider,
  scopes: readonly string[],
  grantAdvice?: string,
): Capability[] {
  const { displayName, kind } = provider
  const names: readonly CapabilityName[] = capabilitiesOfKind[kind]
  return names.map((name): Capability => {
    const { title, detail } = words[name]
    const terms = termsOf(provider, name)
    if (terms === 'works') {
      return { name, title, works: true, detail: detail(displayName), nextStep: null }
    }
    if ('lacks' in terms) {
      return { name, title, works: false, detail: terms.lacks, nextStep: terms.nextStep ?? null }
    }
    const missing = terms.needs.filter((scope) => !scopes.includes(scope))
    const areOthersGranted = terms.orNeeds?.every((scope) => scopes.includes(scope)) === true
    if (missing.length === 0 || areOthersGranted) {
      return { name, title, works: true, detail: detail(displayName), nextStep: null }
    }
    const nextStep = terms.nextStep ?? grantAdvice ?? adviceOf(provider, missing)
    return { name, title, works: false, detail: terms.without, nextStep }
  })
}

function adviceOf(
  { displayName, levels, moreAccess }: Provider,
  missing: readonly string[],
): string {
  const areOf = (scopes: readonly string[] = []) => missing.every((scope) => scopes.includes(scope))
  if (areOf(levels?.full)) return `Connect ${displayName} again with full access.`
  if (areOf(moreAccess?.scopes)) return `Connect ${displayName} again with more access.`
  return `Connect ${displayName} again and grant the missing permission (${missing.join(', ')}).`
}

/** Returns why one thing does not work with the scopes that were granted, as the list does; `undefined` where it works. */
export function findLack(
  provider: Provider,
  scopes: readonly string[],
  name: CapabilityName,
): Capability | undefined {
  return listCapabilities(provider, scopes).find((one) => one.name === name && !one.works)
}

/** Returns how much access the granted scopes are; `null` where the provider has no levels. */
export function levelOf(
  { levels }: Pick<Provider, 'levels'>,
  scopes: readonly string[],
): AccessLevel | null {
  if (levels === undefined) return null
  return levels.full.every((scope) => scopes.includes(scope)) ? 'full' : 'read'
}
