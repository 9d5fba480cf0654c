import { expect, it } from 'vitest'
import { loadTargets } from '../find-command.ts'
import { groups, renderOverview } from './overview.ts'
import { routes } from '../routes.ts'
import { listHelp } from '../testing/list-help.ts'

it('names every command once, but the one that the action starts', () => {
  const own = Object.keys(routes).filter((name) => name !== 'github-action')
  expect(Object.values(groups).flat().toSorted()).toEqual(own.toSorted())
})

it('fits on two screens and in the width of a terminal', async () => {
  const lines = renderOverview(await loadTargets()).split('\n')
  expect(lines.length).toBeLessThanOrEqual(80)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
})

it('a flag is shown in the form that does something', async () => {
  const shown = [...(await listHelp()).values()].join('\n')
  for (const name of ['validate', 'browser', 'secrets']) {
    expect(shown).toContain(`[--no-${name}]`)
    expect(shown).not.toContain(`--${name}]`)
    expect(shown).not.toMatch(new RegExp(`--${name}\\b`))
  }
})
