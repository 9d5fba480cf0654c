import { describe, expect, it } from 'vitest'
import { chooseProviders, readNames, type DemoProvider } from './sandbox-control.ts'

const provider = (name: string, kind: DemoProvider['kind']): DemoProvider => ({
  name,
  title: name,
  kind,
  sharesWith: null,
  settings: {},
  form: null,
  projectKeys: [],
  testWorkflow: null,
  channel: null,
})
const sandbox = {
  origin: 'http://127.0.0.1:4500',
  participants: [
    provider('one-host', 'codehost'),
    provider('other-host', 'codehost'),
    provider('one-tracker', 'tracker'),
    provider('one-chat', 'chat'),
    provider('other-chat', 'chat'),
  ],
}
const namesOf = (names: readonly string[]) =>
  chooseProviders(sandbox, names).map(({ name }) => name)

describe('--with', () => {
  it('takes one of each kind: those it names, and the usual ones of the other kinds', () => {
    expect(namesOf([])).toEqual(['one-host', 'one-tracker', 'one-chat'])
    expect(namesOf(['other-chat', 'other-host'])).toEqual([
      'other-host',
      'one-tracker',
      'other-chat',
    ])
  })

  it('reads names in any case, with commas and spaces', () => {
    expect(readNames('Other-Chat, one-host')).toEqual(['other-chat', 'one-host'])
    expect([readNames(), readNames(''), readNames(' , ')]).toEqual([[], [], []])
  })

  it('refuses a name that nobody has, and two of one kind', () => {
    expect(() => namesOf(['nobody'])).toThrow('--with does not know nobody.')
    expect(() => namesOf(['one-host', 'other-host'])).toThrow(
      '--with names two of one kind: one-host and other-host.',
    )
  })
})
