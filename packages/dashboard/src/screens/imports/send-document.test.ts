import type { ImportDocument, ImportPlan } from '@signalbox/contract/rest'
import { describe, expect, it } from 'vitest'
import { ApiProblem } from '../../api/problem.ts'
import { sendDocument } from './send-document.ts'

const key = (name: string): ImportDocument['keys'][number] => ({
  key: name,
  from: name,
  type: 'boolean',
  tier: 'featureFlags',
  verdict: 'exact',
  values: [],
  issues: [],
})
const documentOf = (...names: string[]): ImportDocument => ({
  format: 'signalbox-import/1',
  source: 'unleash',
  keys: names.map(key),
  leftOut: [],
})

/** Answers as the server does: the shapes first, for all of the keys at once. */
function createServer(refuses: ReadonlySet<string>) {
  const asked: string[][] = []
  const send = (document: ImportDocument): Promise<ImportPlan> => {
    asked.push(document.keys.map((one) => one.key))
    const errors = document.keys.flatMap((one, index) =>
      refuses.has(one.key)
        ? [{ pointer: `/document/keys/${index}/description`, code: 'x', detail: 'It is too long.' }]
        : [],
    )
    if (errors.length > 0) {
      const fields = { code: 'validation_failed', status: 422, title: '', detail: '', errors }
      return Promise.reject(new ApiProblem(fields))
    }
    return Promise.resolve({
      schemaId: null,
      schema: 'web',
      dryRun: true,
      counts: {
        exact: document.keys.length,
        differs: 0,
        leftOut: 0,
        create: document.keys.length,
        update: 0,
        unchanged: 0,
        skip: 0,
        failed: 0,
      },
      keys: document.keys.map((one) => ({
        ...one,
        action: 'create' as const,
        environments: [],
        problems: [],
      })),
      requires: [],
    })
  }
  return { asked, send }
}

describe('a part of an import', () => {
  it('with a key that the server refuses is sent without it, and the key fails alone', async () => {
    const { asked, send } = createServer(new Set(['b', 'd']))
    const plan = await sendDocument(send, documentOf('a', 'b', 'c', 'd'))
    expect(asked).toEqual([
      ['a', 'b', 'c', 'd'],
      ['a', 'c'],
    ])
    expect(plan.counts).toMatchObject({ exact: 4, create: 2, failed: 2 })
    expect(plan.keys.map((one) => [one.key, one.action, one.problems])).toEqual([
      ['a', 'create', []],
      ['c', 'create', []],
      ['b', 'failed', ['description: It is too long.']],
      ['d', 'failed', ['description: It is too long.']],
    ])
  })

  it('that is refused for anything else is not sent again', async () => {
    const fields = { code: 'confirmation_required', status: 409, title: '', detail: 'Confirm.' }
    let calls = 0
    const send = () => {
      calls += 1
      return Promise.reject(new ApiProblem(fields))
    }
    await expect(sendDocument(send, documentOf('a'))).rejects.toThrow('Confirm.')
    expect(calls).toBe(1)
  })
})
