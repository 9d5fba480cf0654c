import { defineConfig, string } from '@signalbox/config'
import { expect, it, vi } from 'vitest'
import { extractDefinition } from './extract-definition.ts'

it('examines one key alone where only that is asked about', async () => {
  const validate = vi.fn<(value: unknown) => { value: string }>((value) => ({
    value: String(value),
  }))
  const other = { '~standard': { version: 1 as const, vendor: 'by hand', validate } }
  const module = { default: defineConfig({ public: { asked: string() }, secret: { other } }) }
  const { keys } = await extractDefinition(import.meta.filename, '', { module, only: 'asked' })
  expect([...keys.keys()]).toEqual(['asked'])
  expect(validate).not.toHaveBeenCalled()
  // Control: otherwise all are.
  await extractDefinition(import.meta.filename, '', { module })
  expect(validate).toHaveBeenCalled()
})
