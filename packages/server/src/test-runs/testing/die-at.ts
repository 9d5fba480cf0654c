import type { Store } from '../../store/store.ts'

/** Dies at the start of the nth transaction, or right after its commit. */
export function dieAt(store: Store, nth: number, when: 'before' | 'after'): Store {
  let count = 0
  return {
    ...store,
    maintenance: (work) => store.maintenance(work),
    async transaction(scope, work) {
      count++
      const isNow = count === nth
      if (isNow && when === 'before') throw new Error('killed')
      const result = await store.transaction(scope, work)
      if (isNow && when === 'after') throw new Error('killed')
      return result
    },
  }
}
