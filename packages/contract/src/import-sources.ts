/** Maps each product and format that configuration is imported from to its name, as people write it. */
export const importSources = {
  launchdarkly: 'LaunchDarkly',
  unleash: 'Unleash',
  flagsmith: 'Flagsmith',
  growthbook: 'GrowthBook',
  configcat: 'ConfigCat',
  flipt: 'Flipt',
  flagd: 'flagd',
  'go-feature-flag': 'GO Feature Flag',
  posthog: 'PostHog',
  dotenv: 'an .env file',
  doppler: 'Doppler',
  infisical: 'Infisical',
  vercel: 'Vercel',
  'aws-ssm': 'AWS Systems Manager',
  'aws-secrets-manager': 'AWS Secrets Manager',
  kubernetes: 'Kubernetes',
  vault: 'Vault',
  names: 'a list of names',
} as const

/** Names a product or format that configuration is imported from. */
export type ImportSource = keyof typeof importSources

/** Names the format that importers write and the server reads. */
export const importFormat = 'signalbox-import/1'

/** Lists how much an issue of an import matters. `high`: something is left out or decides otherwise for many. */
export const importSeverities = ['high', 'medium', 'low'] as const

/** Describes something that an import cannot carry over as it is. It never holds the value of a secret. */
export interface ImportIssue {
  /** Identifies the kind of issue forever. Example: `LD-T011`. */
  readonly code: string
  readonly severity: (typeof importSeverities)[number]
  /** Says what the other product has. */
  readonly cause: string
  /** Says what became of it here. */
  readonly done: string
  /** Names the environment. Absent: every one. */
  readonly environment?: string | undefined
}
