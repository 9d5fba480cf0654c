import { integrationKinds } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConnected, type Connected } from './testing/open-connected.ts'

let service: Connected
beforeAll(async () => {
  service = await openConnected()
})
afterAll(() => service.close())

describe('an organization of a running service', () => {
  it.each(integrationKinds)('connects %s through the pages of its provider', async (kind) => {
    expect(await service.connect(kind)).toEqual({ status: 303, location: `/?connected=${kind}` })
  })
})
