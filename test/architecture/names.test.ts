import { outgoingEvents } from '@signalbox/contract/rest'
import { describe, expect, it } from 'vitest'
import { listHelp } from '../../packages/cli/src/testing/list-help.ts'
import { auditActions } from '../../packages/server/src/audit/audit-event.ts'
import { queueNames } from '../../packages/server/src/jobs/queue-names.ts'
import { clientVariables, settingTable } from '../../packages/server/src/settings/setting-table.ts'
import { migrations } from '../../packages/server/src/store/migrations/index.ts'
import { createdSqlNames, privatePaths, privateWireNames } from './private-names.ts'
import { privateWordOf, promisedNames, promisedWireNames } from './private-words.ts'
import { isTestFile, readSourceFiles } from './source-files.ts'

const files = readSourceFiles()

function listMetrics(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.match(/\bsignalbox_[a-z_]+/g) ?? [])
}

function listFlags(helps: Iterable<readonly [command: string, help: string]>): string[] {
  return [...helps].flatMap(([command, help]) => [
    ...command.split(' '),
    ...(help.match(/--[a-z][a-z-]*/g) ?? []),
  ])
}

/** Holds by kind the names that others know, with a private one of each kind that the rule has to find. */
const kinds = {
  'tables, columns and indexes': {
    names: migrations.flatMap(({ sql, indexes = [] }) => [
      ...createdSqlNames(sql),
      ...indexes.map(({ name }) => name),
    ]),
    atLeast: 400,
    planted: [
      ...createdSqlNames('create table dead_rows (\n  id text,\n  place text not null\n)'),
      ...createdSqlNames('alter table a add column hint text, add column name text'),
      ...createdSqlNames('create unique index rows_by_place on a (b)\n-- create index by_room'),
    ],
    found: ['dead_rows', 'rows_by_place', 'hint', 'place'],
  },
  migrations: {
    names: migrations.map(({ name }) => name),
    atLeast: 0,
    planted: ['0099-spine'],
    found: ['0099-spine'],
  },
  metrics: {
    names: listMetrics(files.filter(({ path }) => !isTestFile(path)).map(({ text }) => text)),
    atLeast: 15,
    planted: listMetrics(["{ name: 'signalbox_dead_jobs_total' }", "'signalbox_info'"]),
    found: ['signalbox_dead_jobs_total'],
  },
  settings: {
    names: [...settingTable.map(({ name }) => name as string), ...clientVariables],
    atLeast: 40,
    planted: ['SIGNALBOX_ROOM_MB', 'SIGNALBOX_PORT'],
    found: ['SIGNALBOX_ROOM_MB'],
  },
  'commands and flags': {
    names: listFlags(await listHelp()),
    atLeast: 100,
    planted: listFlags([['signalbox tell', 'Usage: --at-once --place <name>']]),
    found: ['tell', '--place'],
  },
  'events and queues': {
    names: [...auditActions, ...outgoingEvents, ...queueNames],
    atLeast: 100,
    planted: ['deployment.dead', 'integrations.tell', 'deployment.succeeded'],
    found: ['deployment.dead', 'integrations.tell'],
  },
} as const

describe('names that others know are of the field', () => {
  it.each(Object.entries(kinds))('%s', (_, { names, atLeast }) => {
    expect(new Set(names).size).toBeGreaterThan(atLeast)
    expect(privateWireNames(names)).toEqual([])
  })

  it.each(Object.entries(kinds))('control: a private one among %s is found', (_, kind) => {
    const found = privateWireNames(kind.planted).map((line) => line.split(':')[0])
    expect(new Set(found)).toEqual(new Set(kind.found))
  })

  it('or promised, and each promise is about something', () => {
    const known = new Set([
      ...Object.values(kinds).flatMap(({ names }) => [...names]),
      ...files.map(({ path }) => path.replace(/^.*\/|\.tsx?$/g, '')),
    ])
    expect([...promisedWireNames].filter((name) => !known.has(name))).toEqual([])
    expect([...promisedWireNames].filter((name) => privateWordOf(name) === undefined)).toEqual([])
  })
})

describe('a promise of a file', () => {
  it('is about a name that it declares', () => {
    const promises = promisedNames.flatMap(([pattern, names]) => {
      const texts = files.filter(({ path }) => pattern.test(path)).map(({ text }) => text)
      return names.map((name) => [String(pattern), name, texts.join('\n').includes(name)] as const)
    })
    expect(promises.filter(([, , isDeclared]) => !isDeclared)).toEqual([])
    expect(promises.filter(([, name]) => privateWordOf(name) === undefined)).toEqual([])
  })
})

describe('files and folders have names of the field', () => {
  it('in every package', () => {
    expect(privatePaths(files)).toEqual([])
  })

  it('control: a private word is found in a file, a test and a folder, and in a sandbox what it is about', () => {
    const paths = [
      'packages/server/src/places.ts',
      'packages/server/src/a/dead-jobs.test.ts',
      'packages/cli/src/spool/one.ts',
      'packages/cli/src/spool/two.ts',
      'packages/sandbox/src/http/faults.ts',
      'packages/server/src/http/faults.ts',
      'packages/server/src/look-up.ts',
    ]
    expect(privatePaths(paths.map((path) => ({ path })))).toEqual([
      'packages/server/src/places.ts: say ref, address, scope, target, path or position',
      'packages/server/src/a/dead-jobs.test.ts: say failed',
      'packages/cli/src/spool: say write-ahead file',
      'packages/server/src/http/faults.ts: say violation, failure or error',
    ])
  })
})
