import { describe, expect, it } from 'vitest'
import {
  linkDeployments as link,
  type ChainPiece,
  type LinkedDeployment,
} from './link-deployments.ts'

const build = (id: string, overrides: Partial<LinkedDeployment> = {}): LinkedDeployment => ({
  id,
  sha: id,
  hasSucceeded: true,
  ownState: 'success',
  state: 'success',
  previousSuccessfulId: null,
  supersededBy: null,
  relation: 'first',
  ...overrides,
})
const failed = { hasSucceeded: false, ownState: 'failure', state: 'failure' } as const

const linkDeployments = (piece: Omit<ChainPiece, 'goneBases'> & Partial<ChainPiece>) =>
  link({ goneBases: new Set(), ...piece })

const a = build('a')
const c = build('c', { previousSuccessfulId: 'a', relation: 'forward' })

describe('linkDeployments', () => {
  it('changes nothing where all is linked', () => {
    const former = { ...a, state: 'superseded', supersededBy: 'c' } as const
    expect(linkDeployments({ former, inner: [c], next: undefined })).toEqual([])
  })

  it('links a success to the one before it, which gives way', () => {
    const inner = [build('b', { relation: 'unknown' })]
    expect(linkDeployments({ former: a, inner, next: undefined })).toEqual([
      { ...a, state: 'superseded', supersededBy: 'b' },
      { ...build('b'), previousSuccessfulId: 'a', relation: 'unknown' },
    ])
  })

  it('remembers how a deployment was to a base that was deleted because of its age', () => {
    const inner = [{ ...c, previousSuccessfulId: 'old' }, build('d', { relation: 'unknown' })]
    const piece = { former: undefined, inner, next: undefined, goneBases: new Set(['old']) }
    expect(linkDeployments(piece)).toMatchObject([
      { id: 'c', previousSuccessfulId: 'old', relation: 'forward', supersededBy: 'd' },
      { id: 'd', previousSuccessfulId: 'c' },
    ])
  })

  it('gives a failure its base, and lets it take no place', () => {
    const inner = [build('b', { ...failed, relation: 'unknown' })]
    const linked = linkDeployments({ former: a, inner, next: undefined })
    expect(linked).toMatchObject([{ id: 'b', state: 'failure', previousSuccessfulId: 'a' }])
  })

  it('calls the former rolled back where the way leads back', () => {
    const inner = [{ ...c, relation: 'rollback' as const }]
    const linked = linkDeployments({ former: a, inner, next: undefined })
    expect(linked).toMatchObject([{ id: 'a', state: 'rolled_back', supersededBy: 'c' }])
  })

  it('forgets how the next one was to a base that another has taken the place of', () => {
    const next = { ...c, relation: 'rollback' as const }
    const former = { ...a, state: 'rolled_back', supersededBy: 'c' } as const
    const linked = linkDeployments({ former, inner: [build('b')], next })
    expect(linked).toMatchObject([
      { id: 'a', state: 'superseded', supersededBy: 'b' },
      { id: 'b', state: 'superseded', supersededBy: 'c', previousSuccessfulId: 'a' },
      { id: 'c', state: 'success', previousSuccessfulId: 'b', relation: 'unknown' },
    ])
  })

  it('lets the former live again when what took its place is gone', () => {
    const former = { ...a, state: 'superseded', supersededBy: 'b' } as const
    const linked = linkDeployments({ former, inner: [], next: undefined })
    expect(linked).toMatchObject([{ id: 'a', state: 'success', supersededBy: null }])
  })
})
