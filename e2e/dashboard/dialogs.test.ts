import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { dialogs, openedElsewhere } from './dialogs.ts'

it('each dialog is in one of the two lists, or in the tests that are named', () => {
  const screens = join(import.meta.dirname, '../../packages/dashboard/src/screens')
  const components = readdirSync(screens, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.tsx'))
    .flatMap((path) => readFileSync(join(screens, path), 'utf8').split(/^(?:export )?function /m))
  const rendering = components
    .filter((text) => /<(?:Dialog|FormDialog|SecretDialog|ConfirmDialog|DeleteDialog)\b/.test(text))
    .map((text) => /^\w+/.exec(text)?.[0])
  const opened = [
    ...Object.values(dialogs).map(({ source }) => source),
    ...Object.keys(openedElsewhere),
  ]
  expect(new Set(rendering)).toEqual(new Set(opened))
  const tests = Object.values(openedElsewhere)
  expect(tests.filter((path) => !existsSync(join(import.meta.dirname, path)))).toEqual([])
})
