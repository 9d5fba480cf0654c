import { describe, expect, it } from 'vitest'
import { classifyRef } from './ref-kind.ts'

const sha = '6dcb09b5b57875f334f61aebed695e2e4193db5e'

describe('classifyRef', () => {
  it('believes a full name, and drops its prefix', () => {
    expect(classifyRef('refs/heads/v1.0', sha)).toEqual({ ref: 'v1.0', refKind: 'branch' })
    expect(classifyRef('refs/tags/nightly', sha)).toEqual({ ref: 'nightly', refKind: 'tag' })
  })

  it('knows the commit itself, shortened or not', () => {
    expect(classifyRef(sha, sha).refKind).toBe('sha')
    expect(classifyRef('6DCB09B', sha).refKind).toBe('sha')
  })

  it('takes hexadecimal that is not this commit for a branch', () => {
    expect(classifyRef('deadbeef', sha).refKind).toBe('branch')
    expect(classifyRef('6dcb', sha).refKind).toBe('branch')
  })

  it('takes a version for a tag, and any other name for a branch', () => {
    for (const tag of ['v1.2.3', '1.2', 'v2.0.0-rc.1', '2026.11.21']) {
      expect(classifyRef(tag, sha).refKind).toBe('tag')
    }
    for (const branch of ['main', 'release/1.2', 'v1', 'feature/ABC-1-login', '1.2.x']) {
      expect(classifyRef(branch, sha).refKind).toBe('branch')
    }
  })
})
