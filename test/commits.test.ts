import { describe, expect, it } from 'vitest'
import { commitFaults, listCommits } from './documents/commit-rules.ts'

/** The last commit before the form was agreed on. */
const lastFreeCommit = '8ee63294e7b7f29994fe7cd8c85d6576d275e0f9'

const commit = (message: string, parents = 1) => ({ id: 'abcdef0', parents, message })

describe('commits', () => {
  it('say `area: what` in at most 72 characters, and name no path of a machine', () => {
    expect(listCommits(lastFreeCommit).flatMap(commitFaults)).toEqual([])
  })

  it('control: a long subject, one without an area, a sentence and a path are found', () => {
    const wrong = [
      `inbox: ${'a'.repeat(66)}`,
      'Read webhook schemes from the registry',
      'inbox: The schemes of webhooks come from the registry.',
      'inbox: reads webhook schemes from the registry',
      'Merge branch of /work/main',
      'inbox: read schemes\n\nAs seen in /home/somebody/signalbox.',
    ].flatMap((message) => commitFaults(commit(message, message.startsWith('Merge') ? 2 : 1)))
    expect(wrong).toEqual([
      'abcdef0 has a subject of 73 characters',
      'abcdef0 does not begin with `area: what`',
      'abcdef0 does not begin with `area: what`',
      'abcdef0 ends its subject with a period',
      'abcdef0 says "reads" where an imperative stands',
      'abcdef0 names a path of a machine: /work/',
      'abcdef0 names a path of a machine: /home/',
    ])
  })

  it('control: the form itself passes, with a body, a scoped area and the address of an endpoint', () => {
    const right = [
      'inbox: read webhook schemes from the registry',
      'cli, config: rename PagePlace to PageSource\n\nThe body says why.',
      'test/proof: bound storms by what tells a defect',
      'delivery: answer /readyz without the database',
      'store: embed PostgreSQL, and pass its errors on',
    ].flatMap((message) => commitFaults(commit(message)))
    expect(right).toEqual([])
  })
})
