import type { NextStep } from '@signalbox/contract/rest'

/** Pages of the dashboard that mend something, below that of the organization. */
export const pages = {
  integration: (kind: string) => `/integrations/${kind}`,
  notifications: '/notifications',
  failedWebhooks: '/webhooks?state=failed',
  deployment: (id: string) => `/deployments/${id}`,
  missingKeys: (environmentId: string) => `/config?environment=${environmentId}&show=missing`,
  keys: '/keys',
  key: (id: string) => `/keys?key=${id}`,
  settings: '/settings',
  schemas: '/schemas',
  environments: '/environments',
} as const

/** A button and where it leads. */
export function next(label: string, href: string): NextStep {
  return { label, href }
}
