import { describe, expect, it } from 'vitest'
import { mapEnvironment, type MappingRule } from './map-environment.ts'

const own = ['production', 'staging', 'dev'].map((name) => ({ id: `env_${name}`, name }))
const map = (name: string, rules: readonly MappingRule[] = [], environments = own) =>
  mapEnvironment({ name, repositoryId: '7' }, rules, environments)

describe('rules', () => {
  it('count in their order: the first that fits decides', () => {
    const rules = [
      { pattern: 'prod-eu', environmentId: 'env_staging' },
      { pattern: 'prod*', environmentId: 'env_production' },
    ]
    expect(map('prod-eu', rules).environmentId).toBe('env_staging')
    expect(map('prod-us', rules).environmentId).toBe('env_production')
  })

  it('ignore what has no target, and say which one does', () => {
    expect(map('preview/42', [{ pattern: 'preview/*', environmentId: null }])).toEqual({
      mappedBy: 'rule',
      environmentId: null,
      ignored: true,
      pattern: 'preview/*',
    })
  })

  it('of another repository do not count', () => {
    const rules = [{ pattern: '*', repositoryId: '8', environmentId: null }]
    expect(map('production', rules)).toMatchObject({ mappedBy: 'guess', ignored: false })
  })

  it('to a deleted environment do not count', () => {
    const rules = [{ pattern: '*', environmentId: 'env_gone' }]
    expect(map('production', rules)).toMatchObject({ environmentId: 'env_production' })
  })
})

describe('without a rule', () => {
  it('the same name is found, whatever its case', () => {
    expect(map('Production')).toMatchObject({ mappedBy: 'guess', environmentId: 'env_production' })
  })

  it('maps a synonym to the environment that it means', () => {
    expect(map('live').environmentId).toBe('env_production')
    expect(map('prod-eu').environmentId).toBe('env_production')
    expect(map('stage').environmentId).toBe('env_staging')
    expect(map('Development').environmentId).toBe('env_dev')
    const previews = [...own, { id: 'env_preview', name: 'preview' }]
    expect(map('preview/pr-42', [], previews).environmentId).toBe('env_preview')
  })

  it('the plain name wins over those that add to it', () => {
    const environments = [...own, { id: 'env_eu', name: 'production-eu' }]
    expect(map('live', [], environments).environmentId).toBe('env_production')
  })

  it('maps nothing when two environments fit the same synonym', () => {
    const environments = ['prod-eu', 'prod-us'].map((name) => ({ id: name, name }))
    expect(map('production', [], environments)).toMatchObject({ mappedBy: 'none' })
  })

  it('maps no unknown name, and still records its deployments', () => {
    expect(map('github-pages')).toEqual({ mappedBy: 'none', environmentId: null, ignored: false })
    expect(map('productions')).toMatchObject({ mappedBy: 'none' })
  })
})
