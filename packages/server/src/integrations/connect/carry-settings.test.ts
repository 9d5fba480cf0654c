import { expect, it } from 'vitest'
import { newId } from '../../crypto/ids.ts'
import { carrySettings } from './carry-settings.ts'

const environmentId = newId('env', new Date())
const byName = { pattern: 'live', environmentId }
const ofRepository = { pattern: 'live-*', repositoryId: '42', environmentId: null }
const settings = {
  environmentMap: [ofRepository, byName],
  testWorkflows: [{ workflowId: 'e2e.yml' }],
}
const account = { id: '7', name: 'acme', url: null }
const before = { kind: 'codehost', provider: 'one', account, settings } as const

it('keeps every setting of the same account', () => {
  expect(carrySettings(before, { provider: 'one', account })).toEqual(settings)
  // An account may come back under another id.
  const again = { provider: 'one', account: { ...account, id: '8' } }
  expect(carrySettings(before, { ...again, isSameAccount: () => true })).toEqual(settings)
})

it('keeps the rules of environments by name for another code host, and for another account', () => {
  for (const next of [
    { provider: 'other', account, isSameAccount: () => true },
    { provider: 'one', account: { ...account, id: '8' } },
    { provider: 'one', account: undefined },
  ]) {
    expect(carrySettings(before, next)).toEqual({ environmentMap: [byName] })
  }
})

it('keeps that API keys start only chosen workflows, and none of them, for another code host', () => {
  const chosen = [{ repositoryId: '42', workflowId: 'e2e.yml' }]
  for (const keyWorkflows of [chosen, [], 'of a later version']) {
    const restricted = { ...before, settings: { keyWorkflows } }
    expect(carrySettings(restricted, { provider: 'other', account })).toEqual({ keyWorkflows: [] })
  }
  const open = { ...before, settings: { keyWorkflows: null } }
  expect(carrySettings(open, { provider: 'other', account })).toEqual({})
})

it('keeps nothing of another chat, nor settings that it does not understand', () => {
  const next = { provider: 'other', account }
  const chat = { kind: 'chat', settings: { defaultChannelId: 'C1' } } as const
  expect(carrySettings({ ...before, ...chat }, next)).toEqual({})
  expect(carrySettings({ ...before, settings: { environmentMap: 'all' } }, next)).toEqual({})
  expect(carrySettings(undefined, next)).toEqual({})
})
