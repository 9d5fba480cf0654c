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
    expect(await service.connect(kind)).toEqual({ status: 303, location: `/?integration=${kind}` })
  })

  it.each(integrationKinds)('is led back to %s by a return that is refused', async (kind) => {
    const refused = await fetch(`${service.apiUrl}/integrations/${kind}/oauth/callback`)
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain(`<a href="/?integration=${kind}">`)
  })
})
