import { expect, it } from 'vitest'
import { renderOverview } from './overview.ts'
import { listHelp } from '../testing/list-help.ts'

it('fits on two screens and in the width of a terminal', () => {
  const lines = renderOverview().split('\n')
  expect(lines.length).toBeLessThanOrEqual(84)
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
