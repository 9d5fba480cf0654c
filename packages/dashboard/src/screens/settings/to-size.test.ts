import { expect, it } from 'vitest'
import { toSize } from './to-size.ts'

it.each([
  [0, '0 B'],
  [512, '512 B'],
  [8_140_000, '8.1 MB'],
  [120_400_000_000, '120 GB'],
  [5e15, '5000 TB'],
])('%i bytes are %s', (bytes, text) => expect(toSize(bytes)).toBe(text))
