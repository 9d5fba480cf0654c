import { describe, expect, it } from 'vitest'
import type { Command } from './commands.ts'
import { listCommands, mayBeFirst } from './list-commands.ts'

const command = (label: string, does: Command['does'] = `/acme/${label}`): Command => ({
  label,
  kind: 'Screen',
  does,
})
const sources = {
  recent: [command('ABC-1 Keep the currency', '/acme/deployments/dep_1'), command('Flags')],
  actions: [{ ...command('Sync now', () => undefined), kind: 'Action', hasEffect: true }],
  screens: [command('Flags'), command('Deployments')],
  results: [] as readonly Command[],
  isSearching: false,
}
const labels = (query: string, results: readonly Command[] = []) =>
  listCommands(query, { ...sources, results }).map(({ label }) => label)

describe('listCommands', () => {
  it('begins with what was looked at last, each address once', () => {
    expect(labels('')).toEqual(['ABC-1 Keep the currency', 'Flags', 'Deployments', 'Sync now'])
  })

  it('preselects no action where there are no recent pages', () => {
    expect(listCommands('', { ...sources, recent: [] })[0]).toMatchObject({ label: 'Flags' })
  })

  it('shows what matches, and then what the server found', () => {
    const results = [command('Deployment of flags', '/acme/deployments/dep_2'), command('Flags')]
    expect(labels('flags', results)).toEqual(['Flags', 'Deployment of flags'])
    expect(labels('nothing of it')).toEqual([])
  })

  it('puts what has an effect last until its whole name is typed', () => {
    const results = [command('syrup', '/acme/flags?filter=syrup')]
    expect(labels('sy', results)).toEqual(['syrup', 'Sync now'])
    expect(labels('sync now', results)).toEqual(['Sync now', 'syrup'])
    const [sync] = sources.actions
    expect(sync && ['', 'sy', 'sync', ' Sync now'].map((query) => mayBeFirst(sync, query))).toEqual(
      [false, false, false, true],
    )
    expect(mayBeFirst(command('Flags'), 'fl')).toBe(true)
  })

  it('puts what the server found by its name before entries that only have its letters', () => {
    const results = [command('dpl', '/acme/flags?filter=dpl')]
    expect(labels('dpl', results)).toEqual(['dpl', 'Deployments'])
    const searching = listCommands('dpl', { ...sources, isSearching: true })
    expect(searching).toEqual([])
  })
})
