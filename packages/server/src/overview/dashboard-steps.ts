import type { NextStep } from '@signalbox/contract/rest'

/** Pages of the dashboard that mend something, below that of the organization. */
export const pages = {
  integration: (kind: string) => `/integrations/${kind}`,
  notifications: '/notifications',
  failedWebhooks: '/webhooks?state=dead',
  deployment: (id: string) => `/deployments/${id}`,
  missingKeys: (environment: string) =>
    `/config?environment=${encodeURIComponent(environment)}&only=uneven`,
  keys: '/keys',
  key: (id: string) => `/keys?key=${id}`,
  deadJobs: '/webhooks',
  schemas: '/schemas',
  environments: '/environments',
} as const

/** A button and where it leads. */
export function next(label: string, href: string): NextStep {
  return { label, href }
}
