import type { Overview } from '@signalbox/contract/rest'
import type { Integration } from '../integrations/integration.ts'
import { choiceOfKind, displayNameOf } from '../providers/find-provider.ts'
import { integrationPage, next } from './dashboard-steps.ts'
import type { OverviewView } from './get-overview.ts'

type SetupStep = Overview['setup'][number]
type Kind = Integration['kind']
/** Describes a connection as far as the steps need it. */
type Connection = Pick<Integration, 'kind' | 'provider' | 'state'>

const connected: ReadonlySet<Integration['state']> = new Set(['connected', 'degraded'])
/** Lists the states of a connection that was made and no longer works. */
const interrupted: ReadonlySet<Integration['state']> = new Set(['reauth_required', 'suspended'])

/** Returns what a person does until a kind is connected: for the first time, or again. */
function describeConnecting(
  kind: Kind,
  integration: Connection | undefined,
): Pick<SetupStep, 'title' | 'next'> {
  const page = integrationPage(kind)
  const state = integration?.state
  const name = integration === undefined ? '' : displayNameOf(integration.provider)
  if (state === 'reauth_required') {
    return { title: `Connect ${name} again`, next: next('Connect again', page) }
  }
  if (state === 'suspended') {
    return { title: `Unsuspend Signalbox at ${name}`, next: next('Open the connection', page) }
  }
  const isConnected = state !== undefined && connected.has(state)
  const title = `Connect ${isConnected ? name : choiceOfKind(kind)}`
  return { title, next: next(title, page) }
}

/** Lists how far the set-up is, in the order in which it is done. */
export function listSetupSteps({
  integrations,
  setup,
}: Pick<OverviewView, 'setup'> & { readonly integrations: readonly Connection[] }): SetupStep[] {
  const find = (kind: Kind) => integrations.find((each) => each.kind === kind)
  const isConnected = (kind: Kind) => connected.has(find(kind)?.state ?? 'disconnected')
  const connecting = (kind: Kind) => describeConnecting(kind, find(kind))
  return [
    { step: 'codehost', done: isConnected('codehost'), ...connecting('codehost') },
    { step: 'tracker', done: isConnected('tracker'), ...connecting('tracker') },
    {
      step: 'chat',
      done: isConnected('chat') && setup.hasChannel,
      ...describeChannel(find('chat')),
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

/** Returns what a person does until messages have a channel. A chat that no longer works comes first. */
function describeChannel(chat: Connection | undefined): Pick<SetupStep, 'title' | 'next'> {
  const connecting = describeConnecting('chat', chat)
  if (chat !== undefined && interrupted.has(chat.state)) return connecting
  if (chat === undefined || !connected.has(chat.state)) {
    return { ...connecting, title: `Choose a channel in ${choiceOfKind('chat')}` }
  }
  return {
    title: `Choose a channel in ${displayNameOf(chat.provider)}`,
    next: next('Choose a channel', integrationPage('chat')),
  }
}
