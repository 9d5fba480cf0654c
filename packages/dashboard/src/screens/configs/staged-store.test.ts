import { afterEach, expect, it, vi } from 'vitest'
import type { StagedCell } from './staged.ts'

afterEach(() => vi.unstubAllGlobals())

it('is empty once its person has signed out, for a screen that holds it still', async () => {
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  const storage = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => storage.get(name) ?? null,
    setItem: (name: string, text: string) => storage.set(name, text),
    removeItem: (name: string) => storage.delete(name),
  })
  const { stagedChangesOf } = await import('./staged-store.ts')
  const edit = { kind: 'set', value: 'canary' } as const
  const change: StagedCell = { environmentId: 'env_1', key: 'token', secret: true, edit, base: '' }
  const before = stagedChangesOf('usr_1', 'sch_1')
  before.put([change])
  expect(before.all()).toEqual([change])
  page.dispatchEvent(new Event('signed-out'))
  expect(before.all()).toEqual([])
  expect(stagedChangesOf('usr_1', 'sch_1').all()).toEqual([])
  expect([...storage]).toEqual([])
})
