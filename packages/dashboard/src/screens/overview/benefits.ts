import type { setupSteps } from '@signalbox/contract/rest'

/** Maps each step of the set-up to its benefit. */
export const benefits: Readonly<Record<(typeof setupSteps)[number], string>> = {
  codehost: 'Every deployment appears here automatically, with its commits.',
  tracker: 'Deployments name the issues that they bring, with title and status.',
  chat: 'One message for each deployment, kept up to date.',
  schema: 'Configuration has types, and what is missing is found before it is deployed.',
  first_read: 'Your application takes its values from here, live.',
}
