import { describe, expect, it } from 'vitest'
import {
  describeReach,
  findListError,
  findUnselected,
  listPointers,
  readLines,
  readReach,
  toChoices,
  toExpiry,
} from './key-form.ts'

describe('the form of a key', () => {
  it('ends a key so many days from now, or never', () => {
    const now = new Date('2026-11-22T00:00:00.000Z')
    expect(toExpiry('30', now)).toBe('2026-12-22T00:00:00.000Z')
    expect(toExpiry('', now)).toBeNull()
  })

  it('reads one origin in a line', () => {
    expect(readLines(' https://a.example \n\nhttps://b.example')).toEqual([
      'https://a.example',
      'https://b.example',
    ])
    expect(readLines(' \n')).toBeNull()
  })

  it('restricts a key to what is selected, to everything only where that is chosen, and never to nothing', () => {
    const form = new FormData()
    form.set('allowedOrigins', 'https://a.example')
    form.set('environmentIds.range', 'all')
    const unrestricted = { environmentIds: null, schemaIds: null, allowedNetworks: null }
    const server = { ...unrestricted, allowedOrigins: null }
    expect(readReach(form, 'm2m')).toEqual({ access: 'read', ...server })
    form.set('access', 'write')
    expect(readReach(form, 'm2m')).toEqual({ access: 'write', ...server })
    form.set('environmentIds.range', 'selected')
    const empty = readReach(form, 'b2m')
    expect(empty.environmentIds).toEqual([])
    expect(findUnselected(empty)).toEqual(['environmentIds'])
    form.append('environmentIds', 'env_1')
    form.append('environmentIds', 'env_2')
    form.set('allowedNetworks', '203.0.113.0/24\n2001:db8::1')
    const reach = readReach(form, 'b2m')
    expect(reach).toEqual({
      environmentIds: ['env_1', 'env_2'],
      schemaIds: null,
      allowedOrigins: ['https://a.example'],
      allowedNetworks: ['203.0.113.0/24', '2001:db8::1'],
    })
    expect(findUnselected(reach)).toEqual([])
  })

  it('says in words what a key reaches', () => {
    const known = {
      environments: [{ id: 'env_1', name: 'production' }],
      schemas: [{ id: 'sch_1', name: 'shop' }],
    }
    const everything = {
      environmentIds: null,
      schemaIds: null,
      allowedOrigins: null,
      allowedNetworks: null,
    }
    expect(describeReach({ kind: 'b2m', ...everything }, known)).toBe(
      'Public values and flags, in all environments',
    )
    expect(describeReach({ kind: 'm2m', access: 'read', ...everything }, known)).toBe(
      'Reads all values, including secrets, in all environments',
    )
    expect(describeReach({ kind: 'm2m', access: 'write', ...everything }, known)).toBe(
      'Reads and writes all values, including secrets, in all environments',
    )
    const restricted = {
      environmentIds: ['env_1'],
      schemaIds: ['sch_1'],
      allowedOrigins: ['https://shop.example.com'],
      allowedNetworks: ['203.0.113.0/24'],
    }
    expect(describeReach({ kind: 'b2m', ...restricted }, known)).toBe(
      'Public values and flags, in production, schema shop, from https://shop.example.com, only at 203.0.113.0/24',
    )
  })

  it('offers what a key is restricted to even when no list knows it', () => {
    const staging = { id: 'env_1', name: 'staging' }
    expect(toChoices([staging], ['env_1', 'env_9'])).toEqual([
      staging,
      { id: 'env_9', name: 'env_9' },
    ])
    expect(toChoices([staging], null)).toEqual([staging])
  })

  it('says beside a list once what is wrong with any of its lines', () => {
    const error = { code: 'invalid', detail: 'Use an origin.' }
    const errors = [
      { ...error, pointer: '/allowedOrigins/0' },
      { ...error, pointer: '/allowedOrigins/2' },
      { ...error, pointer: '/allowedNetworks/1', detail: 'Use a network.' },
      { ...error, pointer: '/name' },
    ]
    expect(findListError(errors, 'allowedOrigins')).toBe('Use an origin.')
    expect(findListError(errors, 'allowedNetworks')).toBe('Use a network.')
    expect(listPointers(errors)).toEqual([
      '/allowedOrigins/0',
      '/allowedOrigins/2',
      '/allowedNetworks/1',
    ])
    expect(findListError(undefined, 'allowedOrigins')).toBeUndefined()
  })
})
