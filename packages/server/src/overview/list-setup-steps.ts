import type { Overview } from '@signalbox/contract/rest'
import type { Integration } from '../integrations/integration.ts'
import { choiceOfKind, displayNameOfKind } from '../providers/find-provider.ts'
import { integrationPage, next } from './dashboard-steps.ts'
import type { OverviewView } from './get-overview.ts'

const connected: ReadonlySet<Integration['state']> = new Set(['connected', 'degraded'])

const connect = (kind: Integration['kind']) =>
  next(`Connect ${choiceOfKind(kind)}`, integrationPage(kind))

/** Lists how far the set-up is, in the order in which it is done. */
export function listSetupSteps({
  integrations,
  setup,
}: Pick<OverviewView, 'integrations' | 'setup'>): Overview['setup'] {
  const findConnected = (kind: Integration['kind']) =>
    integrations.find((each) => each.kind === kind && connected.has(each.state))
  const isConnected = (kind: Integration['kind']) => findConnected(kind) !== undefined
  const nameOf = (kind: Integration['kind']) => {
    const provider = findConnected(kind)?.provider
    return provider === undefined ? choiceOfKind(kind) : displayNameOfKind(kind, provider)
  }
  return [
    {
      step: 'codehost',
      done: isConnected('codehost'),
      title: `Connect ${nameOf('codehost')}`,
      next: connect('codehost'),
    },
    {
      step: 'tracker',
      done: isConnected('tracker'),
      title: `Connect ${nameOf('tracker')}`,
      next: connect('tracker'),
    },
    {
      step: 'chat',
      done: isConnected('chat') && setup.hasChannel,
      title: `Choose a channel in ${nameOf('chat')}`,
      next: isConnected('chat')
        ? next('Choose a channel', integrationPage('chat'))
        : connect('chat'),
    },
    {
      step: 'schema',
      done: setup.hasSchema,
      title: 'Create the first schema',
      next: next('Create a schema', { page: 'config' }),
    },
    {
      step: 'first_read',
      done: setup.hasRead,
      title: 'Read it from an application',
      next: next('Create an API key', { page: 'keys' }),
    },
  ]
}
