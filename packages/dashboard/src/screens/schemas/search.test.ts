import { expect, it } from 'vitest'
import { readSchemasSearch } from './search.ts'

it('leads links to the definition and the types to what is for the code', () => {
  const viewOf = (view: unknown) => readSchemasSearch({ view }).view
  expect(['definition', 'types', 'code', 'change', 'other'].map(viewOf)).toEqual([
    'code',
    'code',
    'code',
    'change',
    undefined,
  ])
})
