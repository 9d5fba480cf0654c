import type { setupSteps } from '@signalbox/contract/rest'

/** Maps each step of the set-up to its benefit. */
export const benefits: Readonly<Record<(typeof setupSteps)[number], string>> = {
  codehost: 'Every deployment appears here automatically, with its commits.',
  tracker: 'Deployments show their issues, with title and status.',
  chat: 'One message for each deployment, kept up to date.',
  schema: 'Typed configuration that catches missing values before you deploy.',
  first_read: 'Your application reads its values from here, live.',
}
