import { expect, it, vi } from 'vitest'
import { createStore } from './store.ts'

it('tells every listener of a change, and of nothing that is no change', () => {
  const store = createStore('one')
  const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const stopFirst = store.subscribe(first)
  store.subscribe(second)
  store.set('two')
  store.set('two')
  stopFirst()
  store.set('three')
  expect(store.get()).toBe('three')
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 2])
})
