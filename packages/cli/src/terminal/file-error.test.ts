import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { toFileError } from './file-error.ts'

it('what the file system refuses is said in words, with the path', async () => {
  const error: unknown = await readFile('/etc/passwd/x').catch((refused: unknown) => refused)
  expect(toFileError(error)?.message).toBe('/etc/passwd/x is not below a directory.')
})

it('a bug stays a bug', () => {
  expect(toFileError(new TypeError('x is not a function'))).toBeUndefined()
})
