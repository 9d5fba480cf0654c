import type { Overview } from '@signalbox/contract/rest'
import type { Integration } from '../integrations/integration.ts'
import { next, pages } from './dashboard-steps.ts'
import type { OverviewView } from './get-overview.ts'

const connected: ReadonlySet<Integration['state']> = new Set(['connected', 'degraded'])

/** How far the set-up is, in the order in which it is done. */
export function listSetupSteps({
  integrations,
  setup,
}: Pick<OverviewView, 'integrations' | 'setup'>): Overview['setup'] {
  const isConnected = (kind: Integration['kind']) =>
    integrations.some((each) => each.kind === kind && connected.has(each.state))
  return [
    {
      step: 'codehost',
      done: isConnected('codehost'),
      title: 'Connect the code host',
      next: next('Connect GitHub', pages.integration('codehost')),
    },
    {
      step: 'tracker',
      done: isConnected('tracker'),
      title: 'Connect the issue tracker',
      next: next('Connect Jira', pages.integration('tracker')),
    },
    {
      step: 'chat',
      done: isConnected('chat') && setup.hasChannel,
      title: 'Choose a chat channel',
      next: isConnected('chat')
        ? next('Choose a channel', pages.integration('chat'))
        : next('Connect Slack', pages.integration('chat')),
    },
    {
      step: 'schema',
      done: setup.hasSchema,
      title: 'Push the first schema',
      next: next('How to push', pages.schemas),
    },
    {
      step: 'first_read',
      done: setup.hasRead,
      title: 'Read it from an application',
      next: next('Make a key', pages.keys),
    },
  ]
}
