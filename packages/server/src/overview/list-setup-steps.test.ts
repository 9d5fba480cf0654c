import { describe, expect, it } from 'vitest'
import type { Integration } from '../integrations/integration.ts'
import { listSetupSteps } from './list-setup-steps.ts'

type State = Integration['state']

const setup = { hasChannel: false, hasSchema: false, hasRead: false }

/** Returns the title and the button of each kind, where all are connected to these providers in one state. */
function stepsIn(state: State | undefined): readonly (readonly string[])[] {
  const providers = { codehost: 'gitlab', tracker: 'linear', chat: 'discord' } as const
  const integrations =
    state === undefined
      ? []
      : (['codehost', 'tracker', 'chat'] as const).map((kind) => ({
          kind,
          provider: providers[kind],
          state,
        }))
  return listSetupSteps({ integrations, setup })
    .slice(0, 3)
    .map(({ title, next }) => [title, next.label])
}

describe('a step of the set-up', () => {
  it.each([
    ['nothing', undefined],
    ['a provider that was disconnected', 'disconnected'],
  ] as const)('asks for any provider after %s', (_, state) => {
    expect(stepsIn(state)).toEqual([
      ['Connect a code host', 'Connect a code host'],
      ['Connect an issue tracker', 'Connect an issue tracker'],
      ['Choose a channel in a chat', 'Connect a chat'],
    ])
  })

  it('names the provider that is connected', () => {
    expect(stepsIn('connected')).toEqual([
      ['Connect GitLab', 'Connect GitLab'],
      ['Connect Linear', 'Connect Linear'],
      ['Choose a channel in Discord', 'Choose a channel'],
    ])
  })

  it('names the provider that is to be connected again, or unsuspended', () => {
    expect(stepsIn('reauth_required')).toEqual([
      ['Connect GitLab again', 'Connect again'],
      ['Connect Linear again', 'Connect again'],
      ['Connect Discord again', 'Connect again'],
    ])
    expect(stepsIn('suspended')).toContainEqual([
      'Unsuspend Signalbox at GitLab',
      'Open the connection',
    ])
  })
})
