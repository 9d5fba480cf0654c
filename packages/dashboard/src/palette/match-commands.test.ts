import { describe, expect, it } from 'vitest'
import { matchCommands } from './match-commands.ts'

const commands = ['Overview', 'Deployments', 'Environments', 'Webhooks'].map((label) => ({
  label,
  kind: 'Screen',
  does: `/acme/${label}`,
}))
const found = (query: string) => matchCommands(commands, query).map(({ label }) => label)

describe('the palette', () => {
  it('shows everything before anything is typed', () => {
    expect(found('')).toHaveLength(4)
  })

  it('puts what begins with the letters before what has them somewhere', () => {
    expect(found('ments')).toEqual(['Deployments', 'Environments'])
    expect(found('env')).toEqual(['Environments'])
  })

  it('finds letters in their order, with others between, and nothing out of order', () => {
    expect(found('dpl')).toEqual(['Deployments'])
    expect(found('lpd')).toEqual([])
  })
})
