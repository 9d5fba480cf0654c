import { limits } from '@signalbox/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chainOf, descendantsOf, findParentViolation, toTree } from './environment-tree.ts'
import { fuzzSeed } from '../configs/testing/fuzz-seed.ts'

const standard = { inheritedSecrets: null, isArchived: false } as const

/** `a < b`: b inherits from a. */
const tree = (...pairs: (readonly [string, string | null])[]) =>
  toTree(pairs.map(([id, parentId]) => ({ id, name: id, parentId, ...standard })))
const ids = (nodes: readonly { id: string }[]) => nodes.map(({ id }) => id)

describe('environment tree', () => {
  const family = tree(['root', null], ['mid', 'root'], ['leaf', 'mid'], ['other', 'root'])

  it('walks up to the root and down to every descendant', () => {
    expect(ids(chainOf(family, 'leaf'))).toEqual(['leaf', 'mid', 'root'])
    expect(ids(descendantsOf(family, 'root'))).toEqual(['mid', 'other', 'leaf'])
    expect(ids(chainOf(family, 'absent'))).toEqual([])
  })

  it('refuses a parent that would close a circle', () => {
    expect(findParentViolation(family, 'root', 'leaf')).toContain('itself')
    expect(findParentViolation(family, 'root', 'root')).toContain('itself')
    expect(findParentViolation(family, 'other', 'leaf')).toBeUndefined()
  })

  it('refuses a chain that is too long, counting what hangs below', () => {
    const depth = limits.inheritanceDepth
    const chain = tree(
      ...Array.from({ length: depth }, (_, i) => [`e${i}`, i === 0 ? null : `e${i - 1}`] as const),
      ['lone', null],
      ['pair', null],
      ['pairChild', 'pair'],
    )
    expect(findParentViolation(chain, 'lone', `e${depth - 1}`)).toContain('levels')
    expect(findParentViolation(chain, 'lone', `e${depth - 2}`)).toBeUndefined()
    expect(findParentViolation(chain, 'pair', `e${depth - 2}`)).toContain('levels')
    expect(findParentViolation(chain, 'pair', `e${depth - 3}`)).toBeUndefined()
  })

  it('ends for every tree, circles included, and every accepted parent keeps it a tree', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const parents = fc.tuple(...names.map(() => fc.option(fc.constantFrom(...names))))
    fc.assert(
      fc.property(
        parents,
        fc.constantFrom(...names),
        fc.constantFrom(...names),
        (of, child, parent) => {
          const any = tree(...names.map((name, i) => [name, of[i] ?? null] as const))
          for (const name of names) {
            expect(new Set(ids(chainOf(any, name))).size).toBe(chainOf(any, name).length)
            expect(new Set(ids(descendantsOf(any, name))).size).toBe(
              descendantsOf(any, name).length,
            )
          }
          const free = new Map(any).set(child, {
            id: child,
            name: child,
            parentId: null,
            ...standard,
          })
          if (findParentViolation(free, child, parent) !== undefined) return
          const bound = new Map(free).set(child, {
            id: child,
            name: child,
            parentId: parent,
            ...standard,
          })
          expect(ids(chainOf(bound, parent))).not.toContain(child)
        },
      ),
      { seed: fuzzSeed },
    )
  })
})
