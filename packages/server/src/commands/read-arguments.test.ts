import { expect, it } from 'vitest'
import { UsageError } from './command.ts'
import { readArguments } from './read-arguments.ts'

it('splits words and flags', () => {
  const { values, positionals } = readArguments([
    'audit',
    '--json',
    '--limit',
    '5',
    '--chain=server',
  ])
  expect(positionals).toEqual(['audit'])
  expect(values).toMatchObject({ json: true, force: false, limit: '5', chain: 'server' })
})

it.each([
  [['--verson'], 'There is no flag --verson.', 'Did you mean --version?'],
  [['export', '--zzz', 'file'], 'There is no flag --zzz.', 'signalbox-server --help'],
  [['-x'], 'There is no flag -x.', 'signalbox-server --help'],
  [['--json=yes'], '--json takes no value.', 'signalbox-server --help'],
  [['audit', '--limit'], '--limit needs a value.', 'signalbox-server --help'],
  [['audit', '--chain', '--json'], '--chain needs a value.', 'signalbox-server --help'],
])('refuses %j in one sentence', (args, message, advice) => {
  expect(() => readArguments(args)).toThrow(UsageError)
  expect(() => readArguments(args)).toThrow(expect.objectContaining({ message, advice }))
})
